import {
  SymbolFlags,
  type Project,
  type Symbol as TypeScriptSymbol,
} from 'typescript/unstable/sync';
import { SyntaxKind, type Node, type SourceFile } from 'typescript/unstable/ast';

const MEMBERS = new Set([
  SyntaxKind.PropertySignature,
  SyntaxKind.MethodSignature,
  SyntaxKind.PropertyDeclaration,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.GetAccessor,
]);
/** What is passed to these is told by `@param` if its type does not say it. */
const CALLS = new Set([SyntaxKind.MethodSignature, SyntaxKind.MethodDeclaration]);

type Member = Node & {
  readonly name?: Node;
  readonly type?: Node;
  readonly initializer?: Node;
  readonly typeName?: Node;
  readonly modifiers?: readonly Node[];
  readonly jsDoc?: readonly Node[];
};

/** The exports of a declaration file and the members of their types, as far as they have no TSDoc, by their names. */
export function undocumented({ checker, program }: Project, file: string): readonly string[] {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file) as SourceFile);
  if (module === undefined) throw new Error(`${file} exports nothing.`);
  return checker.getExportsOfModule(module).flatMap((exported) => {
    const symbol =
      (exported.flags & SymbolFlags.Alias) === 0 ? exported : checker.getAliasedSymbol(exported);
    const isDocumented = checker.getDocumentationCommentOfSymbol(symbol) !== '';
    return [...(isDocumented ? [] : [symbol.name]), ...membersOf(symbol)];
  });
}

function membersOf(symbol: TypeScriptSymbol): readonly string[] {
  const found: string[] = [];
  for (const declaration of symbol.declarations) {
    const node = declaration.resolve();
    const isType = node?.kind !== SyntaxKind.FunctionDeclaration;
    if (node !== undefined && isType) visit(node, symbol.name, found);
  }
  return found;
}

function visit(node: Node, path: string, found: string[]): void {
  const member = node as Member; // each field is looked at before it is used
  const file = node.getSourceFile();
  // TypeScript writes the type of a zod schema without the comments of its source
  if (member.typeName?.getText(file).startsWith('z.') === true) return;
  if (!MEMBERS.has(node.kind)) {
    node.forEachChild((child) => visit(child, path, found));
    return;
  }
  const name = `${path}.${member.name?.getText(file)}`;
  const isPrivate = member.modifiers?.some(({ kind }) => kind === SyntaxKind.PrivateKeyword);
  // a member that has one value says what it is
  const isConstant = member.type?.kind === SyntaxKind.LiteralType || member.initializer;
  if (isPrivate === true || isConstant) return;
  if ((member.jsDoc ?? []).length === 0) found.push(name);
  if (!CALLS.has(node.kind)) node.forEachChild((child) => visit(child, name, found));
}
