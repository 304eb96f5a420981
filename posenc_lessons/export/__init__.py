"""Exports of the lessons: copies in one language, pages that need no Python and no network, slides, PDFs.

A notebook goes through ``one_language`` (one language instead of two), perhaps ``run`` (its pictures drawn in
that language), then ``pages``, ``slides`` or ``pdf``; ``exporting`` writes the files.
"""
