/** Our kubelet joins our API server and our controllers, each a program of its own, with nothing but a bootstrap token. */
import { checkJoining } from '../conformance/peers/joining-checks.ts';
import { Processes } from '../conformance/peers/joining-node.ts';
import { ownPlane } from '../conformance/peers/own-plane.ts';

checkJoining(ownPlane, new Processes());
