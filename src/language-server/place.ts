import { inspectPolicy, isPolicy, policyEnvironment, policyScope } from '../check/policies/index.ts';
import { isKubeObject } from '../core/model/object.ts';
import type { Path, Value } from '../core/model/value.ts';
import { builtinKinds } from '../kubernetes/schema/index.ts';
import {
  type DocumentTree,
  type Entry,
  type ScalarNode,
  scalarTextOf,
  textOffsetAt,
  treeValue,
  valueOffsetAt,
} from '../yaml/tree/index.ts';
import { type Expression, modelOf, type WrittenExpression } from './expressions.ts';
import { type Occurrence, occurrencesIn } from './symbols/index.ts';
import type { Checked } from './workspace/check.ts';
import type { SourceFile } from './workspace/file.ts';
import type { Workspace } from './workspace/workspace.ts';
import { collect } from './yaml/context.ts';

/** A position in a file, and what is there. */
export class Place {
  constructor(
    readonly file: SourceFile,
    readonly offset: number,
    readonly workspace: Workspace,
  ) {}

  /** The last state of its package. */
  get checked(): Checked | undefined {
    return this.workspace.known(this.file.uri);
  }

  /** Its document. */
  get tree(): DocumentTree | undefined {
    return this.file.treeAt(this.offset);
  }

  /** The value of its document. */
  get value(): Value {
    return this.tree === undefined ? null : treeValue(this.file.text, this.tree.root);
  }

  /** Returns the innermost scalar whose content is here, or with `isWhole` its quotes and marks too. */
  scalar(isWhole = false): { node: ScalarNode; path: Path } | undefined {
    const found = collect(this.tree?.root, (node, path) => {
      if (node.kind !== 'scalar') return [];
      const [start, end] = isWhole ? [node.start, node.end] : [node.innerStart, node.innerEnd];
      return start <= this.offset && this.offset <= end ? [{ node, path }] : [];
    });
    return found.at(-1);
  }

  /** The entries of maps around it, the innermost first. */
  get entries(): { entry: Entry; path: Path }[] {
    const found = collect(this.tree?.root, (_, path, entry) => {
      const isAround = entry !== undefined && entry.key.start <= this.offset && this.offset <= entry.value.end;
      return isAround ? [{ entry, path }] : [];
    });
    return found.reverse();
  }

  /** The name, and its declaration. */
  get occurrence(): Occurrence | undefined {
    return occurrencesIn(this.file, this.workspace)
      .filter(({ start, end }) => start <= this.offset && this.offset <= end)
      .sort((a, b) => a.end - a.start - (b.end - b.start))[0];
  }

  /** The expression of an RGD, a Graph or a policy. */
  get expression(): Expression | undefined {
    return this.written ?? this.#inPolicy();
  }

  /** The expression of an RGD or a Graph, ends included. */
  get written(): WrittenExpression | undefined {
    const { tree, offset } = this;
    const model = tree && modelOf(this.file, tree, this.workspace);
    return model?.expressions.find(({ textOffset, source, written: { closed } }) => {
      const end = textOffset(source.length);
      return offset >= textOffset(0) && (offset <= end || (!closed && offset <= end + 1));
    });
  }

  #inPolicy(): Expression | undefined {
    const { tree, file } = this;
    if (!tree || !file.text.slice(tree.start, tree.end).includes('ValidatingAdmissionPolicy')) return undefined;
    const object = this.value;
    const found = isKubeObject(object) && isPolicy({ object }) ? (this.scalar() ?? this.#emptyScalar()) : undefined;
    const names = found && policyScope(object, found.path, this.checked?.kinds ?? builtinKinds);
    if (found === undefined || names === undefined) return undefined;
    const isEmpty = found.node.style === 'empty';
    const written = scalarTextOf(file.text, found.node);
    const { offset } = this;
    const inspected = inspectPolicy(written.value, names);
    return (
      inspected && {
        names: () => names,
        source: written.value,
        environment: policyEnvironment(),
        forbidden: new Map(),
        inspected: () => inspected,
        textOffset: (at) => (isEmpty ? offset + at : textOffsetAt(written, at)),
        sourceOffset: (at) => (isEmpty ? 0 : valueOffsetAt(written, at)),
      }
    );
  }

  /** Returns the value that is not written yet, and would begin here. */
  #emptyScalar(): { node: ScalarNode; path: Path } | undefined {
    const { text } = this.file;
    const found = collect(this.tree?.root, (node, path) => {
      if (node.kind !== 'scalar' || node.style !== 'empty' || node.start > this.offset) return [];
      return /^:?[ \t]+$/.test(text.slice(node.start, this.offset)) ? [{ node, path }] : [];
    });
    return found.at(-1);
  }
}
