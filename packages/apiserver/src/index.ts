export { startApiserver } from './apiserver.ts';
export type { OidcOptions } from './authentication/jwt/oidc-options.ts';
export type { TokenWebhookOptions } from './authentication/token-webhook.ts';
export type { AuthorizationMode } from './authorization/authorization-options.ts';
export type { AuthorizationWebhookOptions } from './authorization/configuration/flags-authorization.ts';
export type { RuntimeConfig } from './kinds/served-resources.ts';
export { servedResources } from './kinds/served-resources.ts';
export { limits, periods } from './limits.ts';
export type { Apiserver, ApiserverOptions } from './options.ts';
export { SettingsError } from './settings-error.ts';
export { StoreError, type StoreErrorCode } from './store/errors.ts';
export { SqliteStore, type SqliteStoreOptions } from './store/sqlite-store.ts';
export type {
  RangeOptions,
  RangePage,
  Store,
  StoreEvent,
  StoreWatch,
  StoreWatchOptions,
  StoreWrite,
  StoreWriteResult,
} from './store/store.ts';
export type { StoredValue } from './store/stored-value.ts';
