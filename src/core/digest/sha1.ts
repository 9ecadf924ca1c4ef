/** SHA-1 (FIPS 180-4): 20 bytes. For UUIDs of version 5; no protection against an attacker. */
export { sha1 } from '@noble/hashes/legacy.js';
