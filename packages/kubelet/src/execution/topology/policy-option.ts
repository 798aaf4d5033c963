import { ownValue } from '@wherry/kubeapi';

/** Words that Go reads as true and as false. */
const truths = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const falsehoods = ['0', 'f', 'F', 'FALSE', 'false', 'False'];

/** An option of a policy that is on or off; off when it is not given. Throws for another value. */
export function flagOption(given: Readonly<Record<string, string>>, name: string): boolean {
  const text = ownValue(given, name);
  if (text === undefined || falsehoods.includes(text)) return false;
  if (truths.includes(text)) return true;
  throw new Error(`option ${name} is ${JSON.stringify(text)}; give true or false`);
}

/** Throws for an option that the policy does not have. */
export function requireOptions(
  field: string,
  given: Readonly<Record<string, string>>,
  known: readonly string[],
): void {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const choice = known.length === 0 ? 'this policy has none' : `there are ${known.join(', ')}`;
  throw new Error(`${field} has ${unknown.map((name) => JSON.stringify(name)).join(', ')}: ${choice}`);
}
