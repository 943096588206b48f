// For what includes it: the library is one file here, and its macros are known.
