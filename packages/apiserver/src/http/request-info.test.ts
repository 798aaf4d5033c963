import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readRequestInfo } from './request-info.ts';

function infoOf(method: string, url: string) {
  const [path = '', query] = url.split('?');
  return readRequestInfo(method, path, new URLSearchParams(query));
}

/** By method and URL: verb, group, version, namespace, resource, sub-resource and name (upstream: requestinfo_test.go). */
const about: [request: string, expected: string][] = [
  ['GET /api/v1/namespaces', 'list  v1  namespaces  '],
  ['GET /api/v1/namespaces/other', 'get  v1 other namespaces  other'],
  ['GET /api/v1/namespaces/other/pods', 'list  v1 other pods  '],
  ['GET /api/v1/namespaces/other/pods/foo', 'get  v1 other pods  foo'],
  ['HEAD /api/v1/namespaces/other/pods/foo', 'get  v1 other pods  foo'],
  ['HEAD /api/v1/pods', 'list  v1  pods  '],
  ['GET /api/v1/watch/pods', 'watch  v1  pods  '],
  ['GET /api/v1/watch/namespaces/other/pods', 'watch  v1 other pods  '],
  ['GET /api/v1/pods?watch=true', 'watch  v1  pods  '],
  ['GET /api/v1/pods?watch=false', 'list  v1  pods  '],
  ['GET /api/v1/namespaces/other/pods?watch=1', 'watch  v1 other pods  '],
  ['GET /api/v1/namespaces/other/pods?watch=0', 'list  v1 other pods  '],
  ['GET /api/v1/namespaces/other/pods/foo/status', 'get  v1 other pods status foo'],
  ['GET /api/v1/namespaces/other/pods/foo/proxy/subpath', 'get  v1 other pods proxy foo'],
  ['PUT /api/v1/namespaces/other/finalize', 'update  v1 other namespaces finalize other'],
  ['PUT /api/v1/namespaces/other/status', 'update  v1 other namespaces status other'],
  ['PATCH /api/v1/namespaces/other/pods/foo', 'patch  v1 other pods  foo'],
  ['DELETE /api/v1/namespaces/other/pods/foo', 'delete  v1 other pods  foo'],
  ['POST /api/v1/namespaces/other/pods', 'create  v1 other pods  '],
  ['DELETE /api/v1/nodes', 'deletecollection  v1  nodes  '],
  ['DELETE /api/v1/namespaces', 'deletecollection  v1  namespaces  '],
  ['DELETE /apis/batch/v1/namespaces/other/jobs', 'deletecollection batch v1 other jobs  '],
  ['POST /apis/batch/v1beta3/namespaces/other/jobs', 'create batch v1beta3 other jobs  '],
  ['GET /apis/batch/v1/jobs/foo/scale', 'get batch v1  jobs scale foo'],
];
for (const [request, expected] of about) {
  it(`${request} is about what its path says`, () => {
    const [method = '', url = ''] = request.split(' ');
    const { isResource, verb, group, version, namespace, resource, subresource, name } = infoOf(method, url);
    assert.equal(isResource, true);
    assert.equal([verb, group, version, namespace, resource, subresource, name].join(' '), expected);
  });
}

it('paths that are too short, or begin otherwise, are about no resource', () => {
  for (const path of [
    ...['', '/', '/api', '/api/v1', '/api/v1/', '/apis/batch', '/apis/batch/v1', '/apis/batch/v1/'],
    ...['/badprefix/v1/pods', '/apis/v1/pods', '/not-api/v1/pods'],
  ])
    assert.equal(infoOf('GET', path).isResource, false, path);
});

it('a list or watch of one name is about that name, and nothing else that selects is', () => {
  const path = '/apis/group/version/resource';
  for (const [method, url, expected] of [
    ['GET', `${path}`, ''],
    ['GET', `${path}?fieldSelector=metadata.name=name1`, 'name1'],
    ['GET', `${path}?watch=true&fieldSelector=metadata.name=name1`, 'name1'],
    ['GET', `${path}?fieldSelector=foo=bar&labelSelector=baz=qux`, ''],
    ['GET', `${path}?fieldSelector=metadata.name=name1,foo`, ''],
    ['GET', `${path}?fieldSelector=metadata.name!=name1`, ''],
    ['GET', `${path}?fieldSelector=metadata.name=a/b`, ''],
    ['GET', `${path}?fieldSelector=metadata.name=foo&fieldSelector=metadata.name=bar`, 'foo'],
    ['DELETE', `${path}?fieldSelector=metadata.name=name1`, ''],
    ['GET', `${path}/name?fieldSelector=metadata.name=other`, ''],
    ['GET', '/apis/group/version/watch/resource?fieldSelector=metadata.name=foo', ''],
  ] as const)
    assert.equal(infoOf(method, url).selectedName, expected, `${method} ${url}`);
});
