import type { SignatureHelp } from 'vscode-languageserver';
import { DYN, type Token, tokenize } from '../../languages/cel/index.ts';
import { namesIn } from '../cel/names.ts';
import { functionNamed, MACROS, methodsOf, parametersOf, signatureOf } from '../cel/types.ts';
import type { Place } from '../place.ts';

export function signatureAt({ offset, expression }: Place): SignatureHelp | undefined {
  const inspected = expression?.written && expression.inspected();
  if (expression === undefined || inspected === undefined) return undefined;
  const at = expression.sourceOffset(offset);
  const call = callAround(tokenize(expression.source, { recovers: true }), at);
  if (call === undefined) return undefined;
  const named = namesIn(inspected).find(({ offset: start }) => start === call.name.offset);
  const operand = named?.operand;
  const type = (operand && inspected.types.get(operand.id)) ?? DYN;
  const overloads =
    operand === undefined || call.isQualified
      ? functionNamed(call.qualified)
      : (methodsOf(type).find(({ name }) => name === call.name.text)?.overloads ?? functionNamed(call.qualified));
  const macro = MACROS.find(({ name }) => name === call.name.text);
  const ofMacro = macro && { label: macro.signature, names: /\((.*)\)/.exec(macro.signature)?.[1]?.split(', ') ?? [] };
  const ofFunctions = overloads.map((one) => ({ label: signatureOf(one), names: parametersOf(one) }));
  const all = [...(ofMacro === undefined ? [] : [ofMacro]), ...ofFunctions];
  if (all.length === 0) return undefined;
  return {
    signatures: all.map(({ label, names }) => ({ label, parameters: names.map((one) => ({ label: one })) })),
    activeSignature: Math.max(
      all.findIndex(({ names }) => names.length > call.argument),
      0,
    ),
    activeParameter: call.argument,
  };
}

/** Returns the innermost open call at an offset; `qualified` includes the part before the dot: `lists.range`. */
function callAround(tokens: readonly Token[], at: number) {
  const open: { token: number; commas: number }[] = [];
  for (const [token, { kind, text, offset }] of tokens.entries()) {
    if (kind !== 'op' || offset >= at) continue;
    const last = open.at(-1);
    if ('([{'.includes(text)) open.push({ token, commas: 0 });
    else if (')]}'.includes(text)) open.pop();
    else if (text === ',' && last !== undefined) last.commas += 1;
  }
  const call = open.findLast(({ token }) => tokens[token]?.text === '(' && tokens[token - 1]?.kind === 'ident');
  const name = call && tokens[call.token - 1];
  if (call === undefined || name === undefined) return undefined;
  const before = tokens[call.token - 2]?.text === '.' ? tokens[call.token - 3] : undefined;
  const qualified = before?.kind === 'ident' ? `${before.text}.${name.text}` : name.text;
  const isQualified = qualified !== name.text && functionNamed(qualified).length > 0;
  return { name, qualified: isQualified ? qualified : name.text, isQualified, argument: call.commas };
}
