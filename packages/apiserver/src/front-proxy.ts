/** Who asks by the word of a proxy: for other components' servers. */
export { ClientAuthorities } from './authentication/client-authorities.ts';
export { FrontProxyUsers, frontProxyHeaders } from './authentication/front-proxy.ts';
