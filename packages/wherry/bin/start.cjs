'use strict';

async function start() {
  const { keepCompiled } = await import('@wherry/node/compile-cache');
  keepCompiled();
  await import('#main');
}

start();
