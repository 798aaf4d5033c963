/** What upstream types in test/cmd (`make test-cmd`), with its own kubectl, against our API server and controllers. */
import { judge } from './judge.ts';
import { knownOfKubectl } from './known-kubectl.ts';

await judge({ client: 'kubectl', port: 17_443, controllersPort: 17_257 }, knownOfKubectl);
