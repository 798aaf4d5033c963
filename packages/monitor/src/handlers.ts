import { aborted } from '@wherry/bytes';
import { MonitorError, type MonitorHandlers } from '@wherry/monitor-api';
import { type SessionBook, sessionEvents } from '@wherry/telemetry';
import type { Monitor } from './monitor.ts';
import { execSync } from './session/exec-sync.ts';
import type { StreamingFrontEnd } from './streaming-front-end.ts';

/** Lasts until the caller goes. */
async function untilAborted(signal: AbortSignal): Promise<Record<string, never>> {
  await aborted(signal);
  return {};
}

/** The monitor's wire, method by method. */
export function createHandlers(options: {
  monitor: Monitor;
  streaming: StreamingFrontEnd;
  sessions: SessionBook;
  version: { name: string; version: string; ociRuntime: string };
}): MonitorHandlers {
  const { monitor, streaming, sessions, version } = options;
  return {
    version: () => ({ ...version, pid: process.pid }),
    'container.create': (request) => monitor.create(request),
    async 'container.start'({ id }) {
      const container = monitor.container(id);
      await container.start();
      return container.status();
    },
    async 'container.kill'({ id, signal, all = false }) {
      if (!Number.isInteger(signal) || signal < 1 || signal > 64) {
        throw new MonitorError('INVALID_ARGUMENT', `signal ${signal} is not between 1 and 64`);
      }
      await monitor.settled(id);
      monitor.container(id).kill(signal, all);
      return {};
    },
    async 'container.wait'({ id }, { signal }) {
      const container = monitor.container(id);
      await Promise.race([container.ended, untilAborted(signal)]);
      signal.throwIfAborted();
      return container.status();
    },
    async 'container.delete'({ id, force = false }) {
      await monitor.remove(id, force);
      return {};
    },
    'container.list': () => ({ containers: monitor.statuses() }),
    async 'container.status'({ id }) {
      await monitor.settled(id);
      return monitor.container(id).status();
    },
    async 'container.update'({ id, resources }) {
      await monitor.runningContainer(id).update(resources);
      return {};
    },
    async 'container.checkpoint'({ id, imagePath, workPath }, { signal, notify }) {
      const container = monitor.runningContainer(id);
      await container.checkpoint({ imagePath, workPath }, { signal, written: () => notify({}) });
      return {};
    },
    async 'container.resume'({ id }) {
      await monitor.container(id).resume();
      return {};
    },
    async 'container.reopenLog'({ id }) {
      await monitor.container(id).reopenLog();
      return {};
    },
    'exec.sync'(request, { signal }) {
      monitor.runningContainer(request.containerId);
      return execSync(monitor.execDependencies, request, signal);
    },
    'program.run': (request, { signal }) => monitor.programs.run(request, signal),
    'stream.exec': (request) => ({ url: streaming.execUrl(request) }),
    'stream.attach': (request) => ({ url: streaming.attachUrl(request) }),
    'stream.portForward': (request) => ({ url: streaming.portForwardUrl(request) }),
    'stream.endForwards'({ sandboxId }) {
      streaming.endForwards(sandboxId);
      return {};
    },
    'session.list': ({ id }) => sessions.list(id),
    async 'session.watch'({ id }, { signal, notify }) {
      const leave = sessions.admitWatcher();
      if (!leave) throw new MonitorError('RESOURCE_EXHAUSTED', 'too many watch the sessions already');
      try {
        for await (const event of sessionEvents(sessions, { id, signal })) if (event) notify(event);
        return {};
      } finally {
        leave();
      }
    },
    async 'events.subscribe'({ after }, { signal, notify }) {
      const leave = monitor.events.subscribe({ after, containers: () => monitor.statuses(), send: notify });
      await untilAborted(signal);
      leave();
      return {};
    },
  };
}
