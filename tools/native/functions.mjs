// The functions of the command, for the runtime of an executable.
import ts from '@typescript/typescript6';

const NAME = 'RENDER_RGD_FUNCTIONS';

/** Returns a script, which is one called function, with a list of its functions, classes and variables for NAME. */
export function withFunctions(script) {
  if (script.split(NAME).length !== 2) throw new Error(`the command does not name ${NAME} once`);
  const { statements } = ts.createSourceFile('render-rgd.js', script, ts.ScriptTarget.Latest);
  const [{ expression: call }] = statements.filter(({ expression }) => expression && ts.isCallExpression(expression));
  const names = call.expression.expression.body.statements.flatMap(namesIn);
  return script.replace(NAME, () => `[${names}]`);
}

const namesIn = (statement) => {
  const declared = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
  return declared.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : []));
};
