// Loaded before the command: the file system lists folders backwards.
const fs = require('node:fs');

const { readdirSync } = fs;
fs.readdirSync = (...args) => readdirSync(...args).reverse();
