import { type GrpcConnection, openConnection } from '@wherry/cri/grpc';
import { plugInAnswerBytesMax } from '../../limits.ts';

/** A connection to a plug-in, which is somebody else's: its answers have a bound. `what` names it in errors. */
export const connectPlugIn = (endpoint: string, what: string): GrpcConnection =>
  openConnection(endpoint, what, { answerBytesMax: plugInAnswerBytesMax });
