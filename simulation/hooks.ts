/**
 * Puts the simulated machine under the code that is simulated: what it imports as Node's file modules, and the system
 * calls of `@wherry/linux`, leads to `machine/`. To be imported before any of that code; nothing else in this process
 * is touched.
 */
import { registerHooks } from 'node:module';

const simulated = /\/packages\/(kubelet|runtime|monitor|monitor-api|linux)\/src\//;
const at = (file: string) => new URL(`machine/${file}`, import.meta.url).href;
const inPlace: Readonly<Record<string, string>> = {
  'node:fs': at('files.ts'),
  'node:fs/promises': at('promises.ts'),
};
const native = new URL('../packages/linux/src/native.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const isSimulated = simulated.test(context.parentURL ?? '');
    if (isSimulated && Object.hasOwn(inPlace, specifier))
      return { url: inPlace[specifier] as string, shortCircuit: true };
    const found = next(specifier, context);
    return found.url === native ? { ...found, url: at('native.ts') } : found;
  },
});
