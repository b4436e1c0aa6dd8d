"""Running MindSpore programs as they are: ``install()``, the command line and its reports."""
