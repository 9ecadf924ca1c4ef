export function useMemory(bytes: number): () => void;
