import { ClientError, type KubeClient, type KubeObject } from '@wherry/client';
import { type ConfigMap, type Container, type EnvVar, type Secret, StatusError } from '@wherry/kubeapi';
import { CommandError } from '../../../errors.ts';
import { type Place, referenceText, referredValue } from './references.ts';

/** One container whose variables are printed. */
export interface ListedContainer {
  object: KubeObject;
  container: Container;
  variables: readonly EnvVar[];
}

/** Prints variables as lines of `NAME=value`, all else as comments. With `dataOf` references are followed; why they lead nowhere is said behind. */
export async function listVariables(
  { object, container, variables }: ListedContainer,
  dataOf: Place['dataOf'] | undefined,
): Promise<void> {
  console.log(`# ${object.kind} ${object.metadata?.name}, container ${container.name}`);
  const problems = new Map<string, string[]>();
  for (const { name, value = '', valueFrom } of variables) {
    try {
      const text =
        valueFrom && dataOf ? await referredValue(valueFrom, { object, container, dataOf }) : value;
      const isComment = valueFrom !== undefined && !dataOf;
      console.log(isComment ? `# ${name} from ${referenceText(valueFrom)}` : `${name}=${text}`);
    } catch (error) {
      if (!isReason(error) || !valueFrom) throw error;
      console.log(`# ${name} from ${referenceText(valueFrom)}`);
      problems.set(error.message, [...(problems.get(error.message) ?? []), name]);
    }
  }
  const lines = [...problems].map(
    ([reason, names]) => `error retrieving reference for ${names.sort().join(', ')}: ${reason}`,
  );
  for (const line of lines.sort()) console.error(line);
}

const isReason = (error: unknown): error is Error =>
  error instanceof CommandError || error instanceof StatusError || error instanceof ClientError;

/** Fetches config maps and secrets, each once. */
export function dataFrom(client: KubeClient, namespace: string): Place['dataOf'] {
  const asked = new Map<string, Promise<ReadonlyMap<string, string>>>();
  return (kind, name) => {
    const key = `${kind}/${name}`;
    const known = asked.get(key) ?? fetchData(client, { kind, name, namespace });
    asked.set(key, known);
    return known;
  };
}

async function fetchData(
  client: KubeClient,
  target: { kind: 'ConfigMap' | 'Secret'; name: string; namespace: string },
): Promise<ReadonlyMap<string, string>> {
  const { data = {} } = await client.get<ConfigMap | Secret>(target, { namespace: target.namespace });
  const isCoded = target.kind === 'Secret';
  return new Map(
    Object.entries(data).map(([key, value]): [string, string] => [
      key,
      isCoded ? Buffer.from(value, 'base64').toString('utf8') : value,
    ]),
  );
}
