/** The terminal and the gateway that the client's README shows, in front of a node. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { blocksOf } from './documented-blocks.ts';
import { scriptPod, TestNode } from './node.ts';

const readme = 'packages/client/README.md';

/** What the README's terminal asks of xterm.js. */
class Screen {
  readonly cols = 99;
  readonly rows = 33;
  shown = '';
  type: (text: string) => void = () => {};
  #hasTyped = false;

  onData(listener: (text: string) => void): void {
    this.type = listener;
  }

  onResize(): void {}

  write(chunk: Uint8Array, done: () => void): void {
    this.shown += Buffer.from(chunk).toString();
    if (!this.#hasTyped && this.shown.includes('# ')) {
      this.#hasTyped = true;
      this.type('stty size; exit 7\n');
    }
    done();
  }
}

let node: TestNode;
let folder: string;
let gateway: Server;
let server: string;
let showShell: (terminal: Screen, server: string, pod: string) => Promise<string>;

before(async () => {
  node = await TestNode.start();
  await node.apply(scriptPod('demo', 'sleep 100000'));
  process.env['KUBECONFIG'] = node.kubeconfig;
  folder = mkdtempSync(join(import.meta.dirname, '../node_modules/.web-terminal-'));
  const load = async (word: string) => {
    const block = blocksOf(readme).find(({ text }) => text.includes(word));
    const path = join(folder, `${word}.js`);
    writeFileSync(path, stripTypeScriptTypes(block?.text ?? ''));
    return import(path);
  };
  ({ showShell } = await load('showShell'));
  ({ gateway } = await load('gateway'));
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  server = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
});
after(async () => {
  gateway?.close();
  rmSync(folder, { recursive: true, force: true });
  await node?.remove();
});

/** Runs `what` with the WebSocket of a page of that origin. */
async function asPageOf(origin: string, what: () => Promise<void>): Promise<void> {
  const plain = WebSocket;
  globalThis.WebSocket = class extends plain {
    constructor(url: string | URL, protocols?: ConstructorParameters<typeof plain>[1]) {
      super(url, { protocols: protocols as string[], headers: { origin } });
    }
  };
  try {
    await what();
  } finally {
    globalThis.WebSocket = plain;
  }
}

test('the README’s terminal is as large as its page, takes what is typed, and tells the exit code', {
  timeout: 30_000,
}, async () => {
  await asPageOf(server, async () => {
    const screen = new Screen();
    assert.equal(await showShell(screen, server, 'demo'), 'exit code 7');
    assert.match(screen.shown, /33 99/);
    assert.equal(await showShell(new Screen(), server, 'missing'), 'unreachable');
  });
});

test('the README’s gateway passes nothing on for pages of others, and no other path', {
  timeout: 30_000,
}, async () => {
  await asPageOf('http://elsewhere.example', async () => {
    assert.equal(await showShell(new Screen(), server, 'demo'), 'unreachable');
  });
  await asPageOf(server, async () => {
    const other = new WebSocket(`${server}/api/v1/namespaces/kube-system/pods/demo/exec?command=sh`);
    await once(other, 'error');
  });
});
