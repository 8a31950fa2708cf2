"""Evolution measured: searches on tasks, comparison of controllers, time to walk, and effects of mutations."""
