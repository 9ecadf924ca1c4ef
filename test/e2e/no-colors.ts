// vitest asks its workers for colours, and the commands that tests run would heed that.
delete process.env.FORCE_COLOR;
