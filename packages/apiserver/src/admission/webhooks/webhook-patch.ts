import {
  applyJsonPatch,
  badRequest,
  exactJson,
  type JsonObject,
  type JsonValue,
  setOwn,
} from '@wherry/kubeapi';
import { type ApiObject, as, copyOf } from '../../objects/api-object.ts';
import { withMetadata } from '../../requests/request-object.ts';
import type { AdmissionRequest } from '../admission.ts';
import { type Form, shown } from './invocation.ts';

/** What the server has settled already, and no webhook changes. */
const settled = [
  ...['uid', 'resourceVersion', 'creationTimestamp', 'generation', 'selfLink', 'managedFields'],
  ...['deletionTimestamp', 'deletionGracePeriodSeconds'],
] as const;

/**
 * Applies a webhook's JSON patch to the object of a request, in the form that the webhook was sent: it is read by its
 * schema again and gets its defaults. True when it is another object then. Throws on a patch that does not fit.
 */
export async function applyWebhookPatch(
  request: AdmissionRequest,
  patch: JsonValue,
  form: Form,
): Promise<boolean> {
  return changeShown(request, form, (object) => applyJsonPatch(object, patch) as JsonObject);
}

/** The same with any change of what those outside see; it gets a copy. */
export async function changeShown(
  request: AdmissionRequest,
  form: Form,
  change: (object: JsonObject) => JsonObject,
): Promise<boolean> {
  const { object, view } = request;
  const { type } = form;
  if (!object || !type)
    throw new Error('it attempted to modify the object, which is not supported for this operation');
  const before = shown(request, object)!;
  const patched = change(as<JsonObject>(copyOf(await form.there(before))));
  const read = withMetadata(type.read(patched).object);
  type.setDefaults(read);
  const after = await form.back(read);
  restore(after, before);
  if (exactJson(after) === exactJson(before)) return false;
  if (view) view.into(object, after);
  else replace(object, after);
  return true;
}

function restore({ metadata }: ApiObject, { metadata: before }: ApiObject): void {
  if ((metadata.namespace ?? '') !== (before.namespace ?? ''))
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  for (const name of settled) {
    if (before[name] === undefined) delete metadata[name];
    else Object.assign(metadata, { [name]: before[name] });
  }
}

/** The same object for those who hold it, with another content. */
function replace(object: ApiObject, next: ApiObject): void {
  for (const name of Object.keys(object)) delete object[name];
  for (const [name, value] of Object.entries(next)) setOwn(object, name, value);
}
