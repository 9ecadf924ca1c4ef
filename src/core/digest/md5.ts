/** MD5 (RFC 1321): 16 bytes, for a function of kro; no protection against an attacker. */
export { md5 } from '@noble/hashes/legacy.js';
