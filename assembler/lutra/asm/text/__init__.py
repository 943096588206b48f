"""The text as its author sees it: columns, names, words to complete and to colour, layout."""
