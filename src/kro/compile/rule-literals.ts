import {
  type CelIssue,
  type CelType,
  type CheckedExpression,
  children,
  compileRegex,
  createBudget,
  DYN,
  EvaluationError,
  type Expr,
  formatType,
  kubernetesEnvironment,
  outcomeOf,
  plan,
} from '../../languages/cel/index.ts';

const CONVERSIONS = new Set(['bool', 'bytes', 'double', 'duration', 'int', 'string', 'timestamp', 'uint']);

/**
 * Returns the error of a literal that the API server checks, whether or not it is reached: patterns must compile,
 * constants must be convertible, lists and maps must have parts of one type, except the arguments of `format`
 * (k8s.io/apiserver/pkg/cel/environment, base.go; cel-go cel/validator.go).
 */
export function literalIssue(checked: CheckedExpression): CelIssue | undefined {
  const typeOf = (expr: Expr): CelType => checked.types.get(expr.id) ?? DYN;
  const visit = (expr: Expr, mixes: boolean): CelIssue | undefined => {
    const inside = mixes || (expr.kind === 'call' && expr.name === 'format');
    return (
      patternIssue(expr) ??
      conversionIssue(expr, checked) ??
      (mixes ? undefined : mixedIssue(expr, typeOf)) ??
      children(expr).flatMap((child) => visit(child, inside) ?? [])[0]
    );
  };
  return visit(checked.parsed.root, false);
}

function patternIssue(expr: Expr): CelIssue | undefined {
  if (expr.kind !== 'call' || expr.name !== 'matches') return undefined;
  const [pattern] = expr.args;
  if (pattern?.kind !== 'literal' || pattern.literal.type !== 'string') return undefined;
  const { value } = pattern.literal;
  return failureOf(() => compileRegex(value), pattern);
}

function conversionIssue(expr: Expr, checked: CheckedExpression): CelIssue | undefined {
  if (!isConversion(expr)) return undefined;
  const parsed = { ...checked.parsed, root: expr };
  return failureOf(() => plan(kubernetesEnvironment(), { ...checked, parsed }, []).run([], createBudget()), expr);
}

/**
 * Reports whether an expression converts a constant, or such a conversion: it is evaluated when the rule is compiled.
 */
function isConversion(expr: Expr): boolean {
  if (expr.kind !== 'call' || expr.target !== undefined || !CONVERSIONS.has(expr.name)) return false;
  const [part, ...others] = expr.args;
  return part !== undefined && others.length === 0 && (part.kind === 'literal' || isConversion(part));
}

function failureOf(action: () => unknown, { offset }: Expr): CelIssue | undefined {
  const result = outcomeOf(action);
  return result instanceof EvaluationError ? { message: result.message, offset } : undefined;
}

interface Part {
  readonly value: Expr;
  readonly optional?: boolean;
}

function mixedIssue(expr: Expr, typeOf: (expr: Expr) => CelType): CelIssue | undefined {
  const typeOfPart = ({ value, optional = false }: Part): string => {
    const type = typeOf(value);
    return formatType(optional && type.kind === 'optional' ? type.value : type);
  };
  const differing = (parts: readonly Part[]): CelIssue | undefined => {
    const [first, ...others] = parts;
    if (first === undefined) return undefined;
    const wanted = typeOfPart(first);
    const other = others.find((part) => typeOfPart(part) !== wanted);
    if (other === undefined) return undefined;
    const message = `expected type '${wanted}' but found '${typeOfPart(other)}': what a rule spells out is of one type`;
    return { message, offset: other.value.offset };
  };
  if (expr.kind === 'list') return differing(expr.elements);
  if (expr.kind !== 'map') return undefined;
  return differing(expr.entries.map(({ key }) => ({ value: key }))) ?? differing(expr.entries);
}
