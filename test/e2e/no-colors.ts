// vitest sets FORCE_COLOR for its workers, and the tested commands would use it.
delete process.env.FORCE_COLOR;
