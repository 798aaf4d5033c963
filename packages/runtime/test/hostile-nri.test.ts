/** NRI plug-ins that are broken or mean harm, against a runtime: others go on, and nothing of theirs stays. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { limits } from '../src/limits.ts';
import { startTestNode, type TestNode } from './node.ts';
import { type Asked, RawNriPlugIn } from './raw-nri-plug-in.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-nri-'));
const socket = join(folder, 'nri.sock');
const nriTimes = { registrationMs: 1500, requestMs: 700 };
let node: TestNode;
let pod: string;
const there: RawNriPlugIn[] = [];

/** A plug-in that does so when it is asked of a new container, and answers all else. */
async function plugInThat(does: (asked: Asked) => void, name?: string): Promise<RawNriPlugIn> {
  const answer = (asked: Asked) => (asked.method === 'CreateContainer' ? does(asked) : asked.answer({}));
  const plugIn = await RawNriPlugIn.register(socket, answer, name);
  there.push(plugIn);
  return plugIn;
}

const container = async () => {
  const containerId = await node.runScript(pod, 'sleep 1000');
  await node.cri.runtime.removeContainer({ containerId });
};
const containerCount = async () => (await node.cri.runtime.listContainers()).containers.length;

before(async () => {
  node = await startTestNode(41, { nriSocketPath: socket, nriTimes });
  pod = await node.runPod();
});
afterEach(async () => {
  for (const plugIn of there.splice(0)) {
    plugIn.socket.destroy();
    await plugIn.closed;
  }
});
after(async () => {
  await node.close();
  rmSync(folder, { recursive: true });
});

describe('an NRI plug-in', () => {
  test('that never answers, answers another request, or goes while it is asked hinders no container', async () => {
    const silent = await plugInThat(() => {});
    await container();
    await silent.closed;
    const mistaken = await plugInThat((asked) =>
      asked.answer({ adjust: { args: ['false'] } }, asked.stream + 2),
    );
    await container();
    await mistaken.closed;
    await plugInThat((asked) => asked.socket.destroy());
    await container();
  });

  test('that asks on and reads no answer is dropped before those fill the memory', {
    timeout: 30_000,
  }, async () => {
    const plugIn = await plugInThat((asked) => asked.answer({}));
    plugIn.socket.pause();
    const flood = () => {
      while (!plugIn.socket.destroyed && plugIn.socket.writableLength < 1024 * 1024)
        plugIn.ask(`No${'x'.repeat(2000)}`);
    };
    plugIn.socket.on('drain', flood);
    flood();
    await plugIn.closed;
    await container();
  });

  test('that answers with what it was not asked for, or what is no answer, is dropped', async () => {
    for (const bytes of [Buffer.alloc(64, 0xff), Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')]) {
      const plugIn = await plugInThat((asked) => asked.socket.write(bytes));
      await container();
      await plugIn.closed;
    }
  });

  test('is told of by a bounded part of what it says', async () => {
    await plugInThat((asked) => asked.refuse('no'.repeat(500_000)));
    await assert.rejects(container(), ({ message }: Error) => {
      assert.match(message, /^NRI plug-in "10-hostile": nono/);
      return message.length < limits.plugInWordsMax + 100;
    });
    assert.equal(await containerCount(), 0);
  });

  test('that registers by a name that is none is not let in', async () => {
    for (const name of ['../up', '', 'a/b', 'x'.repeat(100_000), 'line\nline']) {
      const plugIn = await plugInThat((asked) => asked.answer({}), name);
      await plugIn.closed;
    }
  });

  test('of hundreds that connect and say nothing, a few hold a place for a while', async () => {
    const silent = await Promise.all(Array.from({ length: 300 }, () => RawNriPlugIn.connect(socket)));
    await container();
    await Promise.all(silent.map(({ closed }) => closed));
    let isAsked = false;
    await plugInThat((asked) => {
      isAsked = true;
      asked.answer({});
    });
    await container();
    assert.ok(isAsked);
  });

  test('of many that say nothing when they are told what there is holds containers up no longer than one', async () => {
    const mute = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const plugIn = await RawNriPlugIn.connect(socket, (asked) => {
          if (asked.method === 'Configure') asked.answer({ events: 0 });
        });
        plugIn.register(`mute-${index}`, '10');
        return plugIn;
      }),
    );
    const startMs = performance.now();
    await Promise.all(mute.map(({ closed }) => closed));
    await container();
    const tookMs = performance.now() - startMs;
    assert.ok(tookMs < 10 * nriTimes.requestMs, `${tookMs} ms`);
  });

  test('that comes with others has done what it wants after those of lower indices, whoever came first', async () => {
    const containerId = await node.runScript(pod, 'sleep 1000');
    const update = (cpuShares: number) => ({
      update: [{ containerId, linux: { resources: { cpu: { shares: { value: cpuShares } } } } }],
    });
    const synchronized: string[] = [];
    const comes = async (index: string, cpuShares?: number) => {
      const isTold = Promise.withResolvers<void>();
      const plugIn = await RawNriPlugIn.connect(socket, (asked) => {
        if (asked.method === 'Synchronize') {
          synchronized.push(index);
          isTold.resolve();
          if (cpuShares !== undefined) asked.answer(update(cpuShares));
        } else asked.answer({});
      });
      there.push(plugIn);
      plugIn.register('wants', index);
      return { isTold: isTold.promise, closed: plugIn.closed };
    };
    // While the first is waited for, the others come.
    const silent = await comes('50');
    await silent.isTold;
    const late = await comes('30', 300);
    await new Promise((resolve) => setTimeout(resolve, nriTimes.requestMs / 4));
    const early = await comes('20', 200);
    await Promise.all([silent.closed, late.isTold, early.isTold]);
    await container();
    const { status } = await node.cri.runtime.containerStatus({ containerId });
    assert.equal(Number(status?.resources?.linux?.cpuShares), 300);
    assert.deepEqual(synchronized, ['50', '20', '30']);
    await node.cri.runtime.removeContainer({ containerId });
  });

  test('that wants too much of what there is is not let in', async () => {
    const plugIn = await RawNriPlugIn.connect(socket, (asked) => {
      const wants = { update: Array(10_000).fill({ containerId: 'x', linux: { resources: {} } }) };
      asked.answer(asked.method === 'Synchronize' ? wants : {});
    });
    plugIn.register('greedy', '10');
    await plugIn.closed;
    await container();
  });

  const answers: [string, object, RegExp][] = [
    [
      'a group outside of all',
      { adjust: { linux: { cgroupsPath: '/../../up' } } },
      /cgroups_path "\/\.\.\/\.\.\/up"/,
    ],
    [
      'a device of no kind',
      { adjust: { linux: { devices: [{ path: '/dev/x', type: 'z' }] } } },
      /type "z", want c, b, u or p/,
    ],
    [
      'a namespace of no kind',
      { adjust: { linux: { namespaces: [{ type: 'all', path: '/proc/1/ns/net' }] } } },
      /namespace "all"/,
    ],
    [
      'a mount a hundred thousand times',
      { adjust: { mounts: Array(100_000).fill({ destination: '/m', source: '/' }) } },
      /both tried to set Mounts "\/m"/,
    ],
    [
      'limits that nobody acts on',
      { adjust: { linux: { resources: { blockioClass: { value: 'x' } } } } },
      /blockio_class/,
    ],
    [
      'an update ten thousand times',
      { update: Array(10_000).fill({ containerId: 'x', linux: { resources: {} } }) },
      /"10-hostile": 10000 updates in one message; want at most 4096/,
    ],
    [
      'an eviction ten thousand times',
      { evict: Array(10_000).fill({ containerId: 'x', reason: 'why not' }) },
      /"10-hostile": 10000 evictions in one message; want at most 4096/,
    ],
  ];
  for (const [what, answer, words] of answers)
    test(`that asks for ${what} has its container refused, by name, and nothing is left`, async () => {
      await plugInThat((asked) => asked.answer(answer));
      await assert.rejects(container(), words);
      assert.equal(await containerCount(), 0);
    });
});
