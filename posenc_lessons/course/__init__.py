"""The parts that make the notebooks a course: languages, glossary, guesses, progress."""
