/**
 * The limits that keep the work in proportion to the input, in one table. SECURITY.md describes those that an input can
 * reach; a limit of a single layout or message is beside its reader.
 */

/** The limits of one expression. A whole instance may use four times as much. */
export interface Limits {
  /** Calls and iterations. */
  maxSteps: number;
  /** Created list items; a map entry counts four, and a character or byte an eighth. */
  maxSize: number;
}

export const defaultLimits: Limits = { maxSteps: 10_000_000, maxSize: 3_000_000 };

/** The maximum number of items of a collection, unless an option sets another one. */
export const MAX_COLLECTION_SIZE = 1000;

/** A budget that its readers share: `left` is below zero after more than `of` was spent. */
export interface Allowance {
  left: number;
  of: number;
}

export const allowance = (of: number): Allowance => ({ left: of, of });

/** Spends a part of a budget; returns whether it was left. */
export function spend(budget: Allowance, amount: number): boolean {
  budget.left -= amount;
  return budget.left >= 0;
}

/** What every instance adds to the budget of a package: only a few of a thousand need as much. */
export const INSTANCE_STEPS = 200_000;
export const INSTANCE_SIZE = 60_000;

/** The maximum nesting of a value: 10,000 in Go, whose stack is larger; Kubernetes stores nothing near it. */
export const MAX_VALUE_DEPTH = 1000;
/** The maximum nesting of instances, and of objects that front ends render of one another. */
export const MAX_RENDER_DEPTH = 8;
/** The maximum nesting of a schema: real ones are far less deep, and each level takes a stack frame. */
export const MAX_SCHEMA_DEPTH = 200;
/** The maximum nesting of types in a status: types of a cluster or an author are far less deep. */
export const MAX_STATUS_DEPTH = 64;
export const MAX_TEMPLATE_DEPTH = 200;
/** The maximum nesting of parentheses, blocks and values in a template. */
export const MAX_NESTING = 200;
/** The maximum number of consecutive links, as in Linux. */
export const MAX_LINKS = 40;

/** The maximum number of files and folders of a walk: a tree of ten small objects can stand for billions. */
export const MAX_WALK_ENTRIES = 500_000;
/** The maximum nesting of folders, and of what refers to one another in files: kustomizations, charts, archives. */
export const MAX_WALK_LEVELS = 100;
/** The maximum bytes of all files that a walk reads, each as often as it is listed. */
export const MAX_READ_BYTES = 256 * 1024 * 1024;
/** How many files that are not read are opened to see whether they have objects, and how many bytes of each. */
export const MAX_PROBED_FILES = 20_000;
export const MAX_PROBED_BYTES = 1024 * 1024;
/** The maximum bytes of a commit whose files are written for kustomize and helm, each content once. */
export const MAX_WRITTEN_BYTES = 1024 * 1024 * 1024;
/** The maximum nesting of applications that declare one another in a plan, and how many declare others. */
export const MAX_APPLICATION_LEVELS = 16;
export const MAX_NESTED_APPLICATIONS = 1000;
/** The maximum number of objects that the applications of a version render together: many may deploy one folder. */
export const MAX_PLAN_OBJECTS = 500_000;
/** The number of rendered objects of a version that stay in memory for other applications with the same source. */
export const MAX_KEPT_OBJECTS = 20_000;
/** The maximum length of a path, in bytes, as in Linux. */
export const MAX_PATH_BYTES = 4096;
/** The maximum length of all paths of a commit, in bytes: names in shared trees are written out for each path. */
export const MAX_PATHS_BYTES = 64 * 1024 * 1024;

/** The maximum number of documents of a stream: more than any repository or cluster has. */
export const MAX_DOCUMENTS = 500_000;
/** The maximum number of values that the aliases of a stream add: far more than documents need, and harmless. */
export const MAX_ALIASED = 500_000;
/** The maximum number of values: etcd accepts no object of more than 1.5 MiB, and a list item takes two characters. */
export const MAX_VALUES = 500_000;
/** The maximum number of dependencies: two collections of a thousand items that read each other have a million. */
export const MAX_DEPENDENCIES = 500_000;

/** etcd accepts no object of more than 1.5 MiB by default, so no API server stores a longer CRD. */
export const MAX_SCHEMA_CHARACTERS = 1_500_000;
/** The maximum growth of the schemas of a package: statuses and types are written out wherever they are used. */
export const MAX_MULTIPLIED = 6_000_000;
/** The maximum characters of all patterns with counted repetitions expanded: names of Kubernetes have hundreds. */
export const MAX_PATTERNS = 2_000_000;
/** The maximum matching steps of all objects of a package. */
export const MATCHING_STEPS = 10_000_000;
/** The steps of all globs of an invocation, and those that each test adds: a name of 50 characters takes hundreds. */
export const GLOB_STEPS = 5_000_000;
export const GLOB_STEPS_EACH = 1000;

/** The evaluations of admission policies for all objects, and those that each object adds. */
export const MAX_EVALUATIONS = 40_000;
export const EVALUATIONS_EACH = 8;
/** The denials of one policy that are reported; further ones are counted. */
export const MAX_DENIALS = 100;

/** The steps and bytes of the generators and templates of all ApplicationSets: a matrix multiplies its generators. */
export const APPLICATION_SET_STEPS = 10_000_000;
export const APPLICATION_SET_BYTES = 240_000_000;
/** The maximum characters of the objects of a Kustomization with its variables: each may be used many times. */
export const MAX_SUBSTITUTED = 64_000_000;

/** The maximum number of executions of templates: more than the largest permutation with twenty templates. */
export const MAX_EXECUTIONS = 200_000;
/** The maximum number of arguments of a call in a template, because each takes memory. */
export const MAX_ARGUMENTS = 10_000;

/** The maximum number of permissions of a role that are compared: each rule multiplies groups, resources, verbs and names. */
export const MAX_PERMISSIONS = 100_000;

/** The maximum number of fields on a page: types that refer to each other several times grow exponentially. */
export const MAX_PAGE_FIELDS = 50_000;
/** The maximum length of a computed message of a rule (k8s.io/apiserver/pkg/apis/cel/config.go). */
export const MAX_RULE_MESSAGE = 5 * 1024;
/** The number of errors after which the search stops. */
export const MAX_ERRORS = 1000;
/** The maximum number of warnings, or of infos, with one code. */
export const MAX_ALIKE = 1000;
