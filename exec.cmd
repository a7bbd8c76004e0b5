@rem npm runs scripts with cmd.exe on Windows, which has no exec.
@%*
