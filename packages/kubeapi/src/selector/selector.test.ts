import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtInType } from '../kinds/built-in-type.ts';
import { checkFieldSelector, fieldLabelsOf, selectableField } from '../kinds/field-labels.ts';
import { StatusError } from '../status/status-error.ts';
import { fieldText, parseFieldSelector } from './field-selector.ts';
import { matcherFrom, matcherFromMap } from './label-selector.ts';
import { labelSelectorFrom, parseLabelSelector } from './parse-label-selector.ts';

const typeOf = (kind: { group: string; kind: string }) => builtInType({ ...kind, version: 'v1' });
const custom = (kind: { group: string; kind: string }) => ({
  gvk: { ...kind, version: 'v1' },
  fieldLabels: fieldLabelsOf(kind),
});

describe('label selectors', () => {
  const labels = { app: 'web', tier: 'front', level: '7' };
  const cases: [text: string, matches: boolean][] = [
    ['', true],
    ['app=web', true],
    ['app==web,tier!=back', true],
    ['app in (web,db)', true],
    ['app notin (web)', false],
    ['missing notin (x)', true],
    ['app,!missing', true],
    ['level>6', true],
    ['level<7', false],
    ['app=', false],
  ];
  for (const [text, matches] of cases) {
    it(`"${text}" ${matches ? 'matches' : 'does not match'}`, () => {
      const matcher = parseLabelSelector(text);
      assert.equal(matcher.matches(labels), matches);
      assert.equal(parseLabelSelector(matcher.toString()).matches(labels), matches);
    });
  }

  const refused: [text: string, message: string][] = [
    ['a,', "found '', expected: identifier after ','"],
    ['=a', "found '=', expected: !, identifier, or 'end of string'"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a in (!', "unable to parse requirement: found '!', expected: ',', ')' or identifier"],
    ['a in (b,!', "unable to parse requirement: found '!', expected: ',', or identifier"],
    ['a in (b c', "unable to parse requirement: found 'c', expected: ',' or ')'"],
    [
      'a>9223372036854775808',
      `unable to parse requirement: values[0]: Invalid value: "9223372036854775808": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
    [
      'a>-',
      `unable to parse requirement: [values[0]: Invalid value: "-": for 'Gt', 'Lt' operators, the value must be an integer, values[0][a]: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')]`,
    ],
  ];
  for (const [text, message] of refused) {
    it(`refuses "${text}"`, () => {
      assert.throws(
        () => parseLabelSelector(text),
        (error) => error instanceof StatusError && error.message === message,
      );
    });
  }

  it('become objects: what is equal is a label, all else an expression', () => {
    assert.deepEqual(labelSelectorFrom('a=1,b==2,c='), { matchLabels: { a: '1', b: '2', c: '' } });
    assert.deepEqual(labelSelectorFrom('a in (1),b notin (2,3),c,!d'), {
      matchExpressions: [
        { key: 'a', operator: 'In', values: ['1'] },
        { key: 'b', operator: 'NotIn', values: ['2', '3'] },
        { key: 'c', operator: 'Exists' },
        { key: 'd', operator: 'DoesNotExist' },
      ],
    });
    assert.deepEqual(labelSelectorFrom(''), {});
    for (const [text, message] of [
      ['a!=1', '"!=" is not a valid label selector operator'],
      ['a>1', '"gt" isn\'t supported in label selectors'],
      ['a<1', '"lt" isn\'t supported in label selectors'],
      ['a=b=c', `couldn't parse the selector string "a=b=c": found '=', expected: ',' or 'end of string'`],
    ] as const)
      assert.throws(() => labelSelectorFrom(text), { message });
  });

  it('come as objects: absent matches nothing, empty matches all', () => {
    assert.equal(matcherFrom(undefined).matches(labels), false);
    assert.equal(matcherFrom({}).matches(labels), true);
    const selector = {
      matchLabels: { app: 'web' },
      matchExpressions: [{ key: 'x', operator: 'DoesNotExist' as const }],
    };
    assert.equal(matcherFrom(selector).matches(labels), true);
    assert.equal(matcherFromMap({ app: 'db' }).matches(labels), false);
  });

  it('print in the order of their keys, and as their operators were written', () => {
    const text = 'z notin (b,a),y in (a),x==1,w=1,v!=1,u>1,t<2,!s,r in ()';
    const printed = 'r in (),!s,t<2,u>1,v!=1,w=1,x==1,y in (a),z notin (a,b)';
    assert.equal(parseLabelSelector(text).toString(), printed);
    const selector = {
      matchLabels: { b: '1', d: '' },
      matchExpressions: [
        { key: 'c', operator: 'In' as const, values: ['1'] },
        { key: 'a', operator: 'NotIn' as const, values: ['1'] },
      ],
    };
    assert.equal(matcherFrom(selector).toString(), 'a notin (1),b=1,c in (1),d=');
  });

  it('do not take inherited names for labels', () => {
    assert.equal(parseLabelSelector('toString').matches({}), false);
  });
});

describe('field selectors', () => {
  const pod = { metadata: { name: 'a' }, spec: { nodeName: 'n,1' }, status: {} };
  const matches = (text: string) =>
    parseFieldSelector(text).matches((field) => selectableField({ group: '', kind: 'Pod' }, pod, field));

  it('compare fields of the object with texts', () => {
    assert.ok(matches('metadata.name=a,spec.nodeName=n\\,1'));
    assert.ok(matches('spec.host=n\\,1'));
    assert.ok(matches('metadata.name!=b'));
    assert.ok(matches('status.phase='));
    assert.ok(!matches('spec.nodeName='));
    assert.ok(matches('spec.hostNetwork=false'));
  });

  it('tell which value is asked for', () => {
    assert.equal(parseFieldSelector('metadata.name=a').exactMatch('metadata.name'), 'a');
    assert.equal(parseFieldSelector('metadata.name!=a').exactMatch('metadata.name'), undefined);
  });

  it('know escapes in values alone: the first operator parts them from the field', () => {
    assert.equal(parseFieldSelector('a\\=b').exactMatch('a\\'), 'b');
    assert.equal(parseFieldSelector('!=,=,a!b=c').toString(), 'a!b=c');
    for (const [text, message] of [
      ['a=b\\x=', 'invalid field selector: invalid escape sequence: \\x'],
      ['a=b=\\x', 'invalid field selector: unescaped character in value: 61'],
      ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
    ] as const)
      assert.throws(() => parseFieldSelector(text), { message });
  });

  it('print as they were', () => {
    assert.equal(parseFieldSelector('b=x\\=y,a!=1').toString(), 'a!=1,b=x\\=y');
  });

  for (const text of ['a', 'a=b=c', 'a=\\x']) {
    it(`refuse "${text}"`, () => assert.throws(() => parseFieldSelector(text), StatusError));
  }

  it('refuse fields that the kind does not offer', () => {
    assert.throws(
      () => checkFieldSelector(typeOf({ group: '', kind: 'Pod' }), parseFieldSelector('spec.foo=1')),
      /field label not supported: spec.foo/,
    );
  });

  it('are refused in the words that each kind has', () => {
    const refusal = (group: string, kind: string, text: string) => {
      try {
        checkFieldSelector(typeOf({ group, kind }), parseFieldSelector(text));
        return 'taken';
      } catch (error) {
        return (error as Error).message;
      }
    };
    const only = 'is not a known field selector: only "metadata.name", "metadata.namespace"';
    assert.equal(refusal('', 'ConfigMap', 'foo=1'), `"foo" ${only}`);
    assert.equal(refusal('apps', 'ReplicaSet', 'status.replicas=1'), `"status.replicas" ${only}`);
    assert.equal(refusal('batch', 'Job', 'foo=1'), 'field label "foo" not supported for Job');
    assert.equal(
      refusal('resource.k8s.io', 'ResourceSlice', 'foo=1'),
      'field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: foo',
    );
    assert.equal(
      refusal('', 'Node', 'metadata.namespace=a'),
      'field label not supported: metadata.namespace',
    );
    for (const [group, kind] of [
      ['', 'Pod'],
      ['', 'ConfigMap'],
      ['storage.k8s.io', 'StorageClass'],
    ] as const)
      assert.equal(refusal(group, kind, 'metadata.namespace=a,metadata.name=b'), 'taken', kind);
  });

  it("of events are in the group's own words, whatever form the event has", () => {
    const here = { involvedObject: { name: 'p' }, reportingComponent: 'c' };
    const there = { regarding: { name: 'p' }, reportingController: 'c' };
    const labels = {
      '': 'involvedObject.name=p,source=c',
      'events.k8s.io': 'regarding.name=p,reportingController=c',
    };
    for (const [group, text] of Object.entries(labels)) {
      const [kind, selector] = [
        { group, kind: 'Event' },
        parseFieldSelector(`${text},metadata.namespace!=b`),
      ];
      checkFieldSelector(typeOf(kind), selector);
      assert.ok(selector.matches((field) => selectableField(kind, here, field)));
    }
    const kind = { group: 'events.k8s.io', kind: 'Event' };
    const selector = parseFieldSelector(labels['events.k8s.io']);
    assert.ok(selector.matches((field) => selectableField(kind, there, field)));
    const foreign = parseFieldSelector('involvedObject.name=p');
    assert.throws(() => checkFieldSelector(typeOf(kind), foreign), /field label not supported/);
  });

  it('know a kind by its group as well: what shares a name with another offers nothing of it', () => {
    for (const [kind, field] of [
      ['Job', 'status.successful'],
      ['Event', 'reason'],
      ['Service', 'spec.type'],
    ] as const) {
      const selector = parseFieldSelector(`${field}=1`);
      const foreign = () => checkFieldSelector(custom({ group: 'example.com', kind }), selector);
      assert.throws(foreign, /field label not supported/, kind);
    }
    const source = { source: 'a', reason: 'r' };
    const reported = { reportingComponent: 'c', source: {} };
    assert.equal(selectableField({ group: '', kind: 'Event' }, reported, 'source'), 'c');
    assert.equal(selectableField({ group: 'example.com', kind: 'Event' }, source, 'source'), 'a');
  });

  it('see no inherited fields', () => assert.equal(fieldText({}, 'constructor.name'), undefined));
});
