import {
  SignatureKind,
  SymbolFlags,
  type Checker,
  type Project,
  type Symbol as TypeScriptSymbol,
  type Type,
} from 'typescript/unstable/sync';
import { SyntaxKind, type Node, type SourceFile } from 'typescript/unstable/ast';
import { root } from './pages.js';

const TYPES = SymbolFlags.Class | SymbolFlags.Interface | SymbolFlags.TypeAlias;
const VALUES = SymbolFlags.Class | SymbolFlags.Function | SymbolFlags.Variable;
const SIGNATURES = [SignatureKind.Call, SignatureKind.Construct];

type Declared = Node & {
  readonly modifiers?: readonly Node[];
  readonly type?: Node & { readonly typeName?: Node };
};

/** The text that an editor shows of an export or a member, such as `Orchestrator.stop` or `Model.stream.options.signal`. */
export type Documentation = { readonly name: string; readonly text: string };

/** The documentation of the exports of a declaration file, and of the members of every type that they lead to. */
export function documentationOf(project: Project, file: string): readonly Documentation[] {
  const { checker } = project;
  const exported = exportsOf(project, file);
  const { members } = createWalk(checker, exported);
  const named = [...exported.map((symbol) => ({ symbol, name: symbol.name })), ...members.values()];
  return named.map(({ symbol, name }) => ({
    name,
    text: checker.getDocumentationCommentOfSymbol(symbol),
  }));
}

/**
 * Parameters that hold an object whose type has no name, and parameters of exported functions whose type a program cannot
 * import.
 */
export function unnamedParameters(project: Project, file: string): readonly string[] {
  const { checker } = project;
  const exported = exportsOf(project, file);
  const known = new Set(exported.map(({ id }) => id));
  const { parameters } = createWalk(checker, exported);
  const functions = exported.filter(({ flags }) => (flags & SymbolFlags.Function) !== 0);
  const hidden = functions.flatMap((symbol) =>
    parametersOf(checker, symbol)
      .filter((parameter) => {
        const name = declarationOf(parameter)?.type?.typeName;
        const type = name === undefined ? undefined : checker.getSymbolAtLocation(name);
        if (type === undefined || (type.flags & SymbolFlags.TypeParameter) !== 0) return false;
        const own = resolveAlias(checker, type);
        return isOurs(own) && !known.has(own.id);
      })
      .map(({ name }) => `${symbol.name}.${name}`),
  );
  return [...parameters, ...hidden];
}

/** Names that a program can import from a declaration file: all of them, and those that have a value. */
export function exportedNames(
  project: Project,
  file: string,
): { readonly all: readonly string[]; readonly values: readonly string[] } {
  const all = moduleOf(project, file);
  const isValue = (symbol: TypeScriptSymbol): boolean =>
    (resolveAlias(project.checker, symbol).flags & VALUES) !== 0;
  return { all: all.map(({ name }) => name), values: all.filter(isValue).map(({ name }) => name) };
}

/** The exports of a declaration file, types first. */
function exportsOf(project: Project, file: string): readonly TypeScriptSymbol[] {
  return moduleOf(project, file)
    .map((symbol) => resolveAlias(project.checker, symbol))
    .toSorted((a, b) => Number(isType(b)) - Number(isType(a)));
}

function moduleOf({ checker, program }: Project, file: string): readonly TypeScriptSymbol[] {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file) as SourceFile);
  if (module === undefined) throw new Error(`${file} exports nothing.`);
  return checker.getExportsOfModule(module);
}

/** Follow the types of symbols from member to member, each type once. Names are those of the nearest named type. */
function createWalk(checker: Checker, symbols: readonly TypeScriptSymbol[]) {
  /** Members, by the place where they are declared. */
  const members = new Map<string, { readonly symbol: TypeScriptSymbol; readonly name: string }>();
  /** Parameters with an object type that has no name. */
  const parameters = new Set<string>();
  const seen = new Set<number>();
  const types = symbols.filter(isType);
  const names = new Map(
    types.map((symbol) => [checker.getDeclaredTypeOfSymbol(symbol).id, symbol.name]),
  );

  function visit(type: Type | undefined, path: string): void {
    if (type === undefined || seen.has(type.id)) return;
    seen.add(type.id);
    const name = names.get(type.id) ?? nameOf(type) ?? path;
    if (type.isUnionType() || type.isIntersectionType())
      for (const part of type.getTypes()) visit(part, name);
    if (!type.isObjectType() || isOfZod(type)) return;
    if (type.isTypeReference())
      for (const argument of checker.getTypeArguments(type)) visit(argument, path);
    if (!checker.isTupleType(type)) visitMembers(type, name);
    for (const { valueType } of checker.getIndexInfosOfType(type)) visit(valueType, name);
    for (const kind of SIGNATURES) visitSignatures(type, kind, name);
  }

  function visitMembers(type: Type, path: string): void {
    for (const member of checker.getPropertiesOfType(type)) {
      if (!isOurs(member) || isPrivate(member)) continue;
      const memberType = checker.getTypeOfSymbol(member);
      const name = `${path}.${member.name}`;
      // a member that has one value says what it is
      const isConstant = memberType?.isLiteralType() === true;
      const place = placeOf(member) ?? name;
      if (!isConstant && !members.has(place)) members.set(place, { symbol: member, name });
      visit(memberType, name);
    }
  }

  function visitSignatures(type: Type, kind: SignatureKind, path: string): void {
    for (const signature of checker.getSignaturesOfType(type, kind)) {
      for (const parameter of signature.getParameters()) {
        const name = `${path}.${parameter.name}`;
        const isInline = declarationOf(parameter)?.type?.kind === SyntaxKind.TypeLiteral;
        if (isInline && isOurs(parameter)) parameters.add(name);
        visit(checker.getTypeOfSymbol(parameter), name);
      }
      visit(checker.getReturnTypeOfSignature(signature), path);
    }
  }

  for (const symbol of types) visit(checker.getDeclaredTypeOfSymbol(symbol), symbol.name);
  for (const symbol of symbols)
    if ((symbol.flags & VALUES) !== 0) visit(checker.getTypeOfSymbol(symbol), symbol.name);
  return { members, parameters };
}

function parametersOf(checker: Checker, symbol: TypeScriptSymbol): readonly TypeScriptSymbol[] {
  const type = checker.getTypeOfSymbol(symbol);
  if (type === undefined) return [];
  const signatures = checker.getSignaturesOfType(type, SignatureKind.Call);
  return signatures.flatMap((signature) => signature.getParameters());
}

function resolveAlias(checker: Checker, symbol: TypeScriptSymbol): TypeScriptSymbol {
  return (symbol.flags & SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}

function isType({ flags }: TypeScriptSymbol): boolean {
  return (flags & TYPES) !== 0;
}

function nameOf(type: Type): string | undefined {
  const symbol = type.getAliasSymbol() ?? type.getSymbol();
  return symbol !== undefined && isType(symbol) && isOurs(symbol) ? symbol.name : undefined;
}

/** A member that a mapped type makes of a key, as in `Record<'a' | 'b', string>`, has no declaration and is ours. */
function isOurs({ name, declarations }: TypeScriptSymbol): boolean {
  if (declarations.length === 0) return name !== 'prototype';
  return declarations.some(({ path }) => path.startsWith(`${root}dist/`));
}

/** The members of a schema are those of zod. The members of the type that it describes are ours. */
function isOfZod(type: Type): boolean {
  const symbol = type.getSymbol();
  if (symbol === undefined || !isType(symbol)) return false;
  return symbol.declarations.some(({ path }) => path.includes('/node_modules/zod/'));
}

function isPrivate(symbol: TypeScriptSymbol): boolean {
  const { modifiers = [] } = declarationOf(symbol) ?? {};
  return modifiers.some(({ kind }) => kind === SyntaxKind.PrivateKeyword);
}

function declarationOf({ valueDeclaration }: TypeScriptSymbol): Declared | undefined {
  return valueDeclaration?.resolve() as Declared | undefined; // each field is checked before it is used
}

function placeOf({ declarations }: TypeScriptSymbol): string | undefined {
  const [first] = declarations;
  return first === undefined ? undefined : `${first.path}:${first.index}`;
}
