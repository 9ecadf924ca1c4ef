// Measures the calls of one dimension in this process, which bench/costs.mjs starts and stops.
const { measureAll } = await import(process.argv[2]);

process.on('message', (task) => {
  measureAll(task, (message) => process.send(message)).then(
    () => process.exit(0),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
