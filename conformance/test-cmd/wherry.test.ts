/** What upstream types in test/cmd (`make test-cmd`), with wherry in kubectl's place, against our API server and controllers. */
import { judge } from './judge.ts';
import { knownOfWherry } from './known-wherry.ts';

await judge({ client: 'wherry', port: 17_444, controllersPort: 17_258 }, knownOfWherry);
