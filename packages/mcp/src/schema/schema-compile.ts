import { McpError } from '../errors.ts';
import { isObject } from '../json-object.ts';
import type { JsonSchema } from './json-schema.ts';
import { unknownKeywordFault } from './keywords.ts';
import { References, type Scope } from './references.ts';
import { AllOf, AnyOf, Conditional, Not, OneOf } from './rules/alternatives.ts';
import { Contains, PrefixItems, UnevaluatedItems, UniqueItems } from './rules/array-rules.ts';
import { DependentRequired, DependentSchemas, UnevaluatedProperties } from './rules/object-rules.ts';
import { SchemaCheck } from './schema-check.ts';
import { beginsResource, MAX_SCHEMA_DEPTH } from './schema-document.ts';
import { SchemaNode } from './schema-node.ts';

/** Subschemas of one compiled schema, one that is referred to counted once: some 500 bytes each. */
const MAX_SUBSCHEMAS = 100_000;
/** Length of a schema that a peer has sent, as JSON, in UTF-16 units. */
const MAX_REMOTE_LENGTH = 256 * 1024;

/**
 * Turns a schema of this process into something that can be checked against.
 *
 * @param where - names the schema in the error: the tool's name.
 * @throws McpError `SCHEMA_UNSUPPORTED` for a keyword that seems misspelt or is of another draft, one with a value of
 *   the wrong form, a reference that leads out of the document or in a circle, or nesting deeper than 64.
 */
export function compileSchema(schema: JsonSchema | boolean, where: string): SchemaCheck {
  return new Compiler(schema, where, false).compileAll();
}

/**
 * Turns a schema that a peer has sent into something that can be checked against. Unknown keywords are annotations;
 * a pattern whose repeats are nested is not checked, since it may take for ever.
 *
 * @throws McpError `SCHEMA_UNSUPPORTED` as `compileSchema`, and for one longer than 256 KiB.
 */
export function compileRemoteSchema(schema: unknown, where: string): SchemaCheck {
  // Before it is walked: a peer's schema is JSON, so it is neither cyclic nor deeper than a frame may be.
  const length = JSON.stringify(schema)?.length ?? 0;
  if (length > MAX_REMOTE_LENGTH) {
    throw new McpError(
      'SCHEMA_UNSUPPORTED',
      `Schema of ${where} has ${length} characters; at most ${MAX_REMOTE_LENGTH} are checked`,
    );
  }
  return new Compiler(schema, where, true).compileAll();
}

/** Of `true` and `false`, which refer to nothing. */
const NO_SCOPE: Scope = { root: {}, outer: undefined };

class Compiler {
  readonly remote: boolean;
  private readonly root: unknown;
  private readonly where: string;
  private references: References | undefined = undefined;
  private count = 0;

  constructor(root: unknown, where: string, remote: boolean) {
    this.root = root;
    this.where = where;
    this.remote = remote;
  }

  compileAll(): SchemaCheck {
    if (!isObject(this.root)) return this.compile(this.root, NO_SCOPE, '#', 0);
    const check = this.compile(this.root, { root: this.root, outer: undefined }, '#', 0);
    this.references?.resolveAll(this.root, check);
    return check;
  }

  refuse(at: string, why: string): never {
    throw new McpError('SCHEMA_UNSUPPORTED', `Schema of ${this.where} at ${at}: ${why}`);
  }

  compile(schema: unknown, outer: Scope, at: string, depth: number): SchemaCheck {
    const check = new SchemaCheck();
    if (schema === true) return check;
    if (schema === false) {
      check.never = true;
      return check;
    }
    if (!isObject(schema)) return this.refuse(at, 'must be an object or a boolean');
    if (depth > MAX_SCHEMA_DEPTH) return this.refuse(at, `is nested deeper than ${MAX_SCHEMA_DEPTH}`);
    if (++this.count > MAX_SUBSCHEMAS) this.refuse(at, `there are more than ${MAX_SUBSCHEMAS} subschemas`);
    const scope = schema !== outer.root && beginsResource(schema) ? { root: schema, outer } : outer;
    const node = new SchemaNode(schema, scope, at, depth, this);
    for (const keyword of Object.keys(schema)) {
      if (!readPlainKeyword(keyword, node, check) && !this.readRule(keyword, node, check)) {
        const fault = this.remote ? undefined : unknownKeywordFault(keyword, schema[keyword]);
        if (fault !== undefined) node.refuse(fault);
      }
    }
    if (schema['properties'] !== undefined || schema['required'] !== undefined)
      check.properties = node.properties();
    if (schema['additionalProperties'] !== undefined) readAdditional(node, check);
    check.settle();
    return check;
  }

  /** Keywords that become rules. False if this is none. */
  private readRule(keyword: string, node: SchemaNode, check: SchemaCheck): boolean {
    switch (keyword) {
      case 'prefixItems': {
        const checks = node.subList(keyword);
        check.itemsFrom = checks.length;
        check.addRule(new PrefixItems(checks));
        return true;
      }
      case 'contains': {
        const minimum = node.count('minContains', 1);
        const maximum = node.count('maxContains', Number.POSITIVE_INFINITY);
        check.addRule(new Contains(node.sub(keyword), minimum, maximum));
        return true;
      }
      case 'uniqueItems':
        if (node.boolean(keyword)) check.addRule(new UniqueItems());
        return true;
      case 'patternProperties':
        check.forMembers().patterns = node.subMap(keyword).flatMap(([source, part]) => {
          const pattern = node.pattern(keyword, source);
          return pattern === undefined ? [] : [{ pattern, check: part }];
        });
        return true;
      case 'propertyNames':
        check.forMembers().names = node.sub(keyword);
        return true;
      case 'minProperties':
        check.forMembers().minimum = node.count(keyword);
        return true;
      case 'maxProperties':
        check.forMembers().maximum = node.count(keyword);
        return true;
      case 'dependentRequired':
        check.addRule(new DependentRequired(node.nameLists(keyword)));
        return true;
      case 'dependentSchemas':
        check.addRule(new DependentSchemas(new Map(node.subMap(keyword))));
        return true;
      case 'allOf':
        check.addRule(new AllOf(node.subList(keyword)));
        return true;
      case 'anyOf':
        check.addRule(new AnyOf(node.subList(keyword)));
        return true;
      case 'oneOf':
        check.addRule(new OneOf(node.subList(keyword)));
        return true;
      case 'not':
        check.addRule(new Not(node.sub(keyword)));
        return true;
      case 'if':
        check.addRule(new Conditional(node.sub(keyword), node.optionalSub('then'), node.optionalSub('else')));
        return true;
      case '$ref':
      case '$dynamicRef':
        this.references ??= new References(this);
        check.addRule(this.references.defer(node, keyword));
        return true;
      case 'unevaluatedProperties':
        check.addUnevaluated(new UnevaluatedProperties(node.sub(keyword)));
        return true;
      case 'unevaluatedItems':
        check.addUnevaluated(new UnevaluatedItems(node.sub(keyword)));
        return true;
      case 'then':
      case 'else':
      case 'minContains':
      case 'maxContains': // read with `if` and `contains`; nothing without them
      case '$defs': // compiled when referred to
      case '$anchor':
      case '$dynamicAnchor':
        return true;
      default:
        return false;
    }
  }
}

/** Keywords that become fields. False if this is none. */
function readPlainKeyword(keyword: string, node: SchemaNode, check: SchemaCheck): boolean {
  switch (keyword) {
    case 'type':
      node.readType(check);
      return true;
    case 'enum':
    case 'const':
      node.readAllowed(keyword, check);
      return true;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      check.hasNumberRules = true;
      check[keyword] = node.number(keyword);
      return true;
    case 'multipleOf':
      check.hasNumberRules = true;
      check.multipleOf = node.step(keyword);
      return true;
    case 'minLength':
    case 'maxLength':
      check.hasStringRules = true;
      check[keyword] = node.count(keyword);
      return true;
    case 'pattern':
      check.pattern = node.pattern(keyword, node.schema[keyword]);
      check.hasStringRules ||= check.pattern !== undefined;
      return true;
    case 'minItems':
    case 'maxItems':
      check[keyword] = node.count(keyword);
      return true;
    case 'items':
      if (Array.isArray(node.schema[keyword])) node.refuse('items must be one schema; a list is prefixItems');
      check.items = node.sub(keyword);
      return true;
    case 'properties':
    case 'required':
    case 'additionalProperties': // read together, when all others are
      return true;
    default:
      return false;
  }
}

function readAdditional(node: SchemaNode, check: SchemaCheck): void {
  const rules = check.forMembers();
  rules.additional = node.sub('additionalProperties');
  rules.known = new Set(Object.keys(node.map('properties')));
}
