"""What makes the notebooks a course: languages, glossary, checked exercises, solutions, coverage."""
