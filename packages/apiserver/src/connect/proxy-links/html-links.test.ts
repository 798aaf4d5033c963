import assert from 'node:assert/strict';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { HtmlLinks } from './html-links.ts';
import { linkStreams } from './link-streams.ts';
import { rewriteUrl } from './rewrite-url.ts';

const place = { path: '/api/v1/nodes/n/proxy', hosts: ['10.1.2.3:8080'] };
const rewritten = (pieces: readonly string[]) => {
  const links = new HtmlLinks((url) => rewriteUrl(url, place));
  return pieces.map((piece) => links.push(piece)).join('') + links.end();
};

describe('links of a proxied answer', () => {
  it('lead through the proxy when they mean the backend', () => {
    const cases = {
      '/a/b?c#d': '/api/v1/nodes/n/proxy/a/b?c#d',
      'http://10.1.2.3:8080/a': '/api/v1/nodes/n/proxy/a',
      '//10.1.2.3:8080/a': '/api/v1/nodes/n/proxy/a',
      '/api/v1/nodes/n/proxy/a': '/api/v1/nodes/n/proxy/a',
      '/api/v1/nodes/n/proxying': '/api/v1/nodes/n/proxy/api/v1/nodes/n/proxying',
      'http://example.com/a': 'http://example.com/a',
      '//example.com/a': '//example.com/a',
      '../a': '../a',
      '?q': '?q',
      'javascript:void(0)': 'javascript:void(0)',
      '': '',
    };
    for (const [url, wanted] of Object.entries(cases)) assert.equal(rewriteUrl(url, place), wanted, url);
  });

  const document = `<!DOCTYPE html><!-- <a href="/no"> --><HTML><title><a href="/no"></title>
<a class=x href='/one'>1 < 2</a><IMG src=/two alt=">" usemap="#m"><form action="/three"></form>
<script src="/four">if (a < b) document.write('<a href="/no">')</script >
<a data-href="/no" href="five">5</a><`;
  const wanted = document.replaceAll(/\/(?=one|two|three|four)/g, '/api/v1/nodes/n/proxy/');

  it('are found in elements alone, however the document comes in pieces', () => {
    assert.equal(rewritten([document]), wanted);
    assert.equal(rewritten([...document]), wanted);
    for (let at = 0; at < document.length; at++)
      assert.equal(rewritten([document.slice(0, at), document.slice(at)]), wanted, String(at));
  });

  it('are changed inside of what is packed, and in HTML alone', async () => {
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' };
    const packed = Readable.from([gzipSync('<a href="/é">é</a>')]);
    const changed: Buffer[] = [];
    const sink = new Writable({ write: (chunk, _encoding, done) => done(void changed.push(chunk)) });
    await pipeline([packed, ...linkStreams(headers, place)!, sink]);
    const text = gunzipSync(Buffer.concat(changed)).toString();
    assert.equal(text, '<a href="/api/v1/nodes/n/proxy/é">é</a>');
    assert.equal(linkStreams({ ...headers, 'content-encoding': 'br' }, place), undefined);
    assert.equal(linkStreams({ 'content-type': 'text/plain' }, place), undefined);
  });

  it('are looked for in a time that goes by the length of the document alone', () => {
    const before = process.cpuUsage();
    const tag = `<a ${'a'.repeat(60_000)} href="/x">`;
    assert.ok(rewritten([tag.repeat(5)]).endsWith(' href="/api/v1/nodes/n/proxy/x">'));
    assert.ok(process.cpuUsage(before).user < 5_000_000);
  });

  it('are left alone in a tag that has no end, which is not held back for ever', () => {
    const links = new HtmlLinks((url) => rewriteUrl(url, place));
    const endless = `<a href="/x" title="${'y'.repeat(70_000)}`;
    assert.equal(links.push(endless), endless);
  });
});
