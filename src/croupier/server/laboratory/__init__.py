"""The lab as a screen asks it: answers in a few hundred points, computed in a process beside the server."""
