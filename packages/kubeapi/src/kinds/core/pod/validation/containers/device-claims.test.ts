import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodSpec } from '../../../../../generated/types.ts';
import { joinFieldErrors } from '../../../../../status/field-error.ts';
import { validatePodSpec } from '../pod.ts';

const container = {
  name: 'a',
  image: 'b',
  terminationMessagePath: '/x',
  terminationMessagePolicy: 'File',
} as const;
const violations = (more: Partial<PodSpec>, claims: object[] = [], previous?: Partial<PodSpec>) => {
  const whole = (part: Partial<PodSpec>): PodSpec => ({
    ...{ restartPolicy: 'Always', dnsPolicy: 'Default', terminationGracePeriodSeconds: 1 },
    containers: [{ ...container, imagePullPolicy: 'Always', resources: { claims: claims as never } }],
    ...part,
  });
  return joinFieldErrors(validatePodSpec(whole(more), 'spec', previous && whole(previous)));
};

describe('claims on devices of a pod', () => {
  const resourceClaims = [{ name: 'gpu', resourceClaimName: 'x' }];

  it('have names that are labels, each once, and lead to one claim', () => {
    assert.equal(violations({ resourceClaims }), '');
    const problems: [claim: object, RegExp][] = [
      [{ name: '../a', resourceClaimName: 'x' }, /spec\.resourceClaims\[0\]\.name: Invalid value: "\.\.\/a"/],
      [{ resourceClaimName: 'x' }, /spec\.resourceClaims\[0\]\.name: Required value/],
      [{ name: 'a', resourceClaimName: '../x' }, /\[0\]\.resourceClaimName: Invalid value: "\.\.\/x"/],
      [{ name: 'a', resourceClaimTemplateName: 'x/y' }, /\[0\]\.resourceClaimTemplateName: Invalid value/],
      [{ name: 'a' }, /must specify one of/],
      [{ name: 'a', resourceClaimName: 'x', resourceClaimTemplateName: 'y' }, /at most one of/],
    ];
    for (const [claim, problem] of problems)
      assert.match(violations({ resourceClaims: [claim as never] }), problem);
    assert.match(
      violations({ resourceClaims: [...resourceClaims, ...resourceClaims] }),
      /Duplicate value: "gpu"/,
    );
  });

  it('are there where a container names them, wholly or by different requests', () => {
    const of = (...claims: object[]) => violations({ resourceClaims }, claims);
    assert.equal(of({ name: 'gpu', request: 'a' }, { name: 'gpu', request: 'b' }), '');
    const place = 'spec.containers[0].resources.claims';
    assert.equal(
      of({ name: 'x' }),
      `${place}[0]: Not found: "x": must be one of the names in pod.spec.resourceClaims: gpu`,
    );
    assert.equal(of({ name: 'gpu' }, { name: 'gpu', request: 'a' }), `${place}[1]: Duplicate value: "gpu"`);
    assert.equal(of({ name: 'gpu', request: 'a' }, { name: 'gpu' }), `${place}[1]: Duplicate value: "gpu"`);
    assert.equal(
      of({ name: 'gpu', request: 'a' }, { name: 'gpu', request: 'a' }),
      `${place}[1]: Duplicate value: "gpu/a"`,
    );
    assert.match(of({ name: 'gpu', request: 'a/b' }), /claims\[0\]\.request: Invalid value: "a\/b"/);
  });
});

it('huge pages are asked for in whole pages of a size', () => {
  const asking = (name: string, amount: string): Partial<PodSpec> => {
    const amounts = { cpu: '1', [name]: amount };
    return {
      containers: [
        { ...container, imagePullPolicy: 'Always', resources: { limits: amounts, requests: amounts } },
      ],
    };
  };
  assert.equal(violations(asking('hugepages-2Mi', '4Mi')), '');
  for (const [name, amount] of [
    ['hugepages-2Mi', '3Mi'],
    ['hugepages-x', '2Mi'],
    ['hugepages-0', '0'],
  ] as const) {
    const place = (part: string) => `spec.containers[0].resources.${part}[${name}]`;
    const said = `Invalid value: "${amount}": ${amount} is not positive integer multiple of ${name}`;
    assert.equal(
      violations(asking(name, amount)),
      `[${place('limits')}: ${said}, ${place('requests')}: ${said}]`,
    );
  }
  assert.equal(violations(asking('hugepages-2Mi', '3Mi'), [], asking('hugepages-2Mi', '1Mi')), '');
});
