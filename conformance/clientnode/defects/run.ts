/** Tries one thing with one client: `run.ts client-node|wherry NAME KUBECONFIG NAMESPACE`. Prints what came of it. */
const [side = '', name = '', kubeconfig = '', namespace = ''] = process.argv.slice(2);
const { attempts } = side === 'client-node' ? await import('./client-node.ts') : await import('./wherry.ts');
const attempt = attempts[name];
if (!attempt) throw new Error(`there is nothing called "${name}"`);
// What a client throws where nobody can catch it would end the program.
process.on('unhandledRejection', () => {
  console.log('the program ends by an unhandled rejection');
  process.exit();
});
const outcome = await attempt({ kubeconfig, namespace });
await new Promise((resolve) => setTimeout(resolve, 1_000));
console.log(outcome);
process.exit();
