// Jest runs TypeScript once its types are left out, which Node does itself.
const { stripTypeScriptTypes } = require('node:module');

exports.process = (source) => ({ code: stripTypeScriptTypes(source) });
