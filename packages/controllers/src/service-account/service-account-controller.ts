import { kinds } from '@wherry/client';
import { definePerNamespace } from '../machinery/per-namespace.ts';

/** Gives each namespace its service account `default`. */
export const serviceAccountController = definePerNamespace({
  name: 'serviceaccount-controller',
  account: 'service-account-controller',
  type: kinds.serviceAccounts,
  objectName: 'default',
  content: () => ({}),
  isRight: () => true,
});
