/** Parts of the API that another server answers for (upstream: kube-aggregator pkg/apis/apiregistration). */
import type { APIService } from '../../generated/types.ts';
import { type FieldError, invalidValue, notSupported, required } from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { dns1035Label, dnsSubdomain, pathSegment, portNumber } from '../../validation/formats.ts';
import { check } from '../../validation/metadata.ts';
import type { KindDefinition } from '../definition.ts';

const groupPriorityMax = 20_000;
const versionPriorityMax = 1_000;
const statuses = ['True', 'False', 'Unknown'];

const printer: Printer<APIService> = {
  columns: [nameColumn, column('Service'), column('Available'), ageColumn],
  cells: ({ metadata, spec, status }, nowMs) => {
    const { namespace = '', name = '' } = spec.service ?? {};
    return [
      ...[metadata.name ?? '', spec.service ? `${namespace}/${name}` : 'Local'],
      ...[availability(status), age(metadata.creationTimestamp, nowMs)],
    ];
  },
};

/** Parts of the API that another server answers for. */
export const apiService: KindDefinition<APIService> = {
  group: 'apiregistration.k8s.io',
  kind: 'APIService',
  nameFormat: pathSegment,
  printer,
  validate: apiServiceErrors,
  validateSubresource: { status: statusErrors },
  defaults: { ApiregistrationV1ServiceReference: { port: 443 } },
  descriptions: {
    APIService: {
      '': 'A version of a group: answered here, or by another server that is asked in the cluster.',
    },
    APIServiceSpec: {
      service: 'Where the other server is. Absent: this server answers.',
      caBundle: 'Authorities in PEM that its certificate must be of. Absent: those of the machine.',
      insecureSkipTLSVerify: 'Its certificate is not looked at.',
      groupPriorityMinimum: 'Where the group stands among others: 1 to 20000.',
      versionPriority: 'Where the version stands in its group: 1 to 1000.',
    },
    APIServiceStatus: { conditions: 'Available says whether it answers.' },
  },
};

function availability(status: APIService['status']): string {
  const known = status?.conditions?.find(({ type }) => type === 'Available');
  if (!known) return 'Unknown';
  return known.status !== 'True' && known.reason ? `${known.status} (${known.reason})` : known.status;
}

function apiServiceErrors({ metadata, spec }: APIService): FieldError[] {
  const { group = '', version = '', groupPriorityMinimum, versionPriority } = spec;
  const wanted = `${version}.${group}`;
  const field = (part: string) => `spec.${part}`;
  const isIn = (value: number, maximum: number) => value > 0 && value <= maximum;
  return [
    ...nameErrors('metadata.name', metadata.name, wanted),
    ...nameErrors('metadata.generateName', metadata.generateName, wanted),
    ...(group === '' && version !== 'v1'
      ? [required(field('group'), 'only v1 may have an empty group and it better be legacy kube')]
      : []),
    ...(group === '' ? [] : check(field('group'), group, dnsSubdomain)),
    ...check(field('version'), version, dns1035Label),
    ...(isIn(groupPriorityMinimum, groupPriorityMax)
      ? []
      : [
          invalidValue(
            field('groupPriorityMinimum'),
            groupPriorityMinimum,
            'must be positive and less than 20000',
          ),
        ]),
    ...(isIn(versionPriority, versionPriorityMax)
      ? []
      : [invalidValue(field('versionPriority'), versionPriority, 'must be positive and less than 1000')]),
    ...(spec.service ? serviceErrors(spec) : localErrors(spec)),
  ];
}

/** What is no segment of a path is told of elsewhere. */
function nameErrors(field: string, name: string | undefined, wanted: string): FieldError[] {
  if (!name || name === wanted || pathSegment(name).length > 0) return [];
  const mustBe = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`;
  return [invalidValue(field, name, mustBe)];
}

function localErrors({ caBundle = '', insecureSkipTLSVerify }: APIService['spec']): FieldError[] {
  const bytes = Buffer.from(caBundle, 'base64').length;
  const mayNot = 'local APIServices may not have';
  return [
    ...(bytes === 0 ? [] : [invalidValue('spec.caBundle', `${bytes} bytes`, `${mayNot} a caBundle`)]),
    ...(insecureSkipTLSVerify
      ? [invalidValue('spec.insecureSkipTLSVerify', true, `${mayNot} insecureSkipTLSVerify`)]
      : []),
  ];
}

function serviceErrors({ service, caBundle = '', insecureSkipTLSVerify }: APIService['spec']): FieldError[] {
  const { namespace, name, port = 0 } = service ?? {};
  const complaints = portNumber(port);
  return [
    ...(namespace ? [] : [required('spec.service.namespace')]),
    ...(name ? [] : [required('spec.service.name')]),
    ...(complaints.length === 0
      ? []
      : [invalidValue('spec.service.port', port, `port is not valid: ${complaints.join(', ')}`)]),
    ...(insecureSkipTLSVerify && caBundle !== ''
      ? [invalidValue('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present')]
      : []),
  ];
}

function statusErrors({ status }: APIService): FieldError[] {
  return (status?.conditions ?? []).flatMap((condition, index) =>
    statuses.includes(condition.status)
      ? []
      : [notSupported(`status.conditions[${index}].status`, condition.status, statuses)],
  );
}
