/** MD5 (RFC 1321): 16 bytes, for a function of kro; no protection against an attacker. */
/** SHA-1 (FIPS 180-4): 20 bytes. For UUIDs of version 5; no protection against an attacker. */
export { md5, sha1 } from '@noble/hashes/legacy.js';
/** SHA-256 (FIPS 180-4): 32 bytes. */
export { sha256 } from '@noble/hashes/sha2.js';
