/** SHA-256 (FIPS 180-4): 32 bytes. */
export { sha256 } from '@noble/hashes/sha2.js';
