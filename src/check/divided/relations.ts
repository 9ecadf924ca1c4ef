import { addTo } from '../../core/model/group-by.ts';
import type { DocumentGroup, Relations } from './division.ts';
import type { Part } from './part.ts';

/** The relations between documents that validations have shown, and that no document says by itself. */
export class FoundRelations implements Relations {
  readonly joined: (readonly [number, number])[] = [];
  readonly read: (readonly [number, number])[] = [];

  /** Adds what the parts of a package have to do with each other; returns whether there is anything. */
  add(groups: readonly DocumentGroup[], parts: readonly Part[]): boolean {
    const before = this.joined.length + this.read.length;
    const firstOf = (part: number): number => ownMembers(groups[part])[0] ?? 0;
    const join = (one: number, other: number): void => {
      if (one !== other) this.joined.push([firstOf(one), firstOf(other)]);
    };
    const makers = new Map<string, number>();
    for (const [index, { contacts }] of parts.entries()) {
      for (const identity of contacts.claims) {
        const maker = makers.get(identity);
        if (maker === undefined) makers.set(identity, index);
        else join(maker, index);
      }
    }
    for (const [index, { contacts }] of parts.entries()) {
      for (const { identity } of contacts.written) join(makers.get(identity) ?? index, index);
      for (const identity of contacts.looksUp.identities) join(makers.get(identity) ?? index, index);
    }
    this.#addReads(groups, parts);
    joinUnread(parts, join);
    return this.joined.length + this.read.length > before;
  }

  /** Adds the plain objects that external references of other parts find. */
  #addReads(groups: readonly DocumentGroup[], parts: readonly Part[]): void {
    const readers = parts.flatMap(({ contacts: { looksUp } }, index) =>
      looksUp.identities.size + looksUp.kinds.size > 0 ? [{ index, looksUp }] : [],
    );
    if (readers.length === 0) return;
    const byIdentity = new Map<string, number[]>();
    const byKind = new Map<string, number[]>();
    for (const [index, { contacts }] of parts.entries()) {
      for (const { identity, kind, at } of contacts.written) {
        const document = groups[index]?.members[at] as number;
        addTo(byIdentity, identity, document);
        addTo(byKind, kind, document);
      }
    }
    for (const { index, looksUp } of readers) {
      const group = groups[index] as DocumentGroup;
      const members = new Set(group.members);
      const [first = 0] = ownMembers(group);
      const found = [
        ...[...looksUp.identities].flatMap((identity) => byIdentity.get(identity) ?? []),
        ...[...looksUp.kinds].flatMap((kind) => byKind.get(kind) ?? []),
      ];
      for (const document of new Set(found)) if (!members.has(document)) this.read.push([first, document]);
    }
  }
}

const ownMembers = (group: DocumentGroup | undefined): number[] =>
  group?.members.filter((index) => !group.context.has(index)) ?? [];

/** A text that cannot be read may explain that the kinds which it names are not defined. */
function joinUnread(parts: readonly Part[], join: (one: number, other: number) => void): void {
  for (const [index, { contacts }] of parts.entries()) {
    if (contacts.unreadTexts.size === 0) continue;
    const texts = [...contacts.unreadTexts];
    const words = new Set(texts.flatMap((text = '') => text.match(/\w+/g) ?? []));
    for (const [other, { contacts: others }] of parts.entries()) {
      const isExplained = texts.includes(undefined) || [...others.undefinedKinds].some((kind) => words.has(kind));
      if (others.undefinedKinds.size > 0 && isExplained) join(index, other);
    }
  }
}
