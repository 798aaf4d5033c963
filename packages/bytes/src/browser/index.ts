/** The contract and what needs nothing of Node's: all of this package but the adapters. */

export { aborted, onAbort, orAborted } from '../abort.ts';
export type { ByteChannel, ByteReceiver, ByteSink, ByteSource, Closable, WaitOptions } from '../channel.ts';
export { type ChannelPairOptions, channelPair } from '../channel-pair.ts';
export { CodedError } from '../coded-error.ts';
export { type CollectOptions, collect, concatenate } from '../collect.ts';
export { discard } from '../discard.ts';
export { DrainGate } from '../drain-gate.ts';
export { type ChannelClosedCode, ChannelClosedError } from '../errors.ts';
export { InboxSource } from '../halves/inbox-source.ts';
export { Inbox, type InboxOptions } from '../inbox.ts';
export { iterate } from '../iterate.ts';
export { meterChannel, meterSink, meterSource, type PassingMeter } from '../meter/metered.ts';
export { type PipeOutcome, type PumpOptions, type PumpOutcome, pipe, pump } from '../pipe.ts';
export { clipped } from '../values/clipped.ts';
export { shownJson } from '../values/shown-json.ts';
export { EventHub } from '../work/event-hub.ts';
export { once } from '../work/once.ts';
export { SharedWork } from '../work/shared-work.ts';
