/** Who asks by the word of a proxy, and files that are looked at for changes: for other components' servers. */
export { ClientAuthorities } from './authentication/client-authorities.ts';
export { FrontProxyUsers, frontProxyHeaders } from './authentication/front-proxy.ts';
export { FollowedFiles } from './documents/followed-files.ts';
