'use strict';
const { enableCompileCache } = require('node:module');
const { compileCacheFolder } = require('./compile-cache.cjs');

// Node takes up a folder that the environment names by itself.
if (!process.env.NODE_COMPILE_CACHE) {
  const folder = compileCacheFolder();
  if (folder) {
    enableCompileCache(folder);
    // For the processes and threads that this one starts.
    process.env.NODE_COMPILE_CACHE = folder;
  }
}
import('#main');
