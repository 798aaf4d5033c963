/** Our kubelet joins our API server, where upstream's controller manager approves and signs. */
import { checkJoining } from '../peers/joining-checks.ts';
import { Processes } from '../peers/joining-node.ts';
import { mixedPlane } from './control-planes.ts';

checkJoining(mixedPlane, new Processes());
