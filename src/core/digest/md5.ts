/** MD5 (RFC 1321): 16 bytes. kro has it; no protection against an attacker. */
export { md5 } from '@noble/hashes/legacy.js';
