"""The elements of a schema that an operation uses, found with graphql-core's TypeInfo."""

import re

from graphql import (
    DocumentNode,
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLNonNull,
    GraphQLSchema,
    TypeInfo,
    TypeInfoVisitor,
    VariableNode,
    Visitor,
    get_named_type,
    is_abstract_type,
    is_list_type,
    is_non_null_type,
    is_object_type,
    is_required_argument,
    is_required_input_field,
    print_ast,
    type_from_ast,
    visit,
)

# The scalars whose values another scalar accepts.
COERCED = {("Int", "Float"), ("Int", "ID"), ("String", "ID")}
NAMES = re.compile(r"@?\w+(?:\.\w+)?(?:\(\w+:\))?")


class Uses(Visitor):
    def __init__(self, schema: GraphQLSchema, document: DocumentNode):
        super().__init__()
        self.schema, self.info = schema, TypeInfo(schema)
        self.types, self.fields, self.values = set(), set(), set()
        self.given, self.omitted = set(), set()
        # The arguments and fields with a value in the text, and the fields that variables may have.
        self.written, self.sent = {}, set()
        self.inputs, self.enums = set(), set()
        self.conditions = set()
        self.fragments = {
            node.name.value: node.type_condition.name.value for node in document.definitions
            if node.kind == "fragment_definition"}
        self.variables = {
            variable.variable.name.value: variable for node in document.definitions
            for variable in getattr(node, "variable_definitions", None) or ()}
        visit(document, TypeInfoVisitor(self.info, self))

    @property
    def names(self) -> set[str]:
        """The coordinates of all elements."""
        return self.types | self.fields | self.values | self.given | self.omitted | self.inputs

    # What the visitor meets

    def enter_operation_definition(self, node, *_):
        self.types.add(self.schema.get_root_type(node.operation).name)

    def enter_fragment_definition(self, node, *_):
        self.types.add(node.type_condition.name.value)

    def enter_field(self, node, *_):
        parent, field = self.info.get_parent_type(), self.info.get_field_def()
        if node.name.value.startswith("__"):
            return
        name, type = f"{parent.name}.{node.name.value}", get_named_type(field.type)
        self.fields.add(name)
        self.types.add(type.name)
        if isinstance(type, GraphQLEnumType):
            self.enums.add(type.name)
        given = {argument.name.value: argument.value for argument in node.arguments or ()}
        for argument in node.arguments or ():
            self.written.setdefault(f"{name}({argument.name.value}:)", []).append(argument)
        for key, argument in field.args.items():
            if key in given:
                self.given.add(f"{name}({key}:)")
                self.add_value(argument.type, given[key])
            if key not in given or self.may_be_absent(given[key]):
                self.omitted.add(f"{name}({key}:)")

    def enter_inline_fragment(self, node, *_):
        if node.type_condition:
            self.types.add(node.type_condition.name.value)
            self.conditions.add((self.info.get_parent_type().name, node.type_condition.name.value))

    def enter_fragment_spread(self, node, *_):
        self.conditions.add((self.info.get_parent_type().name, self.fragments[node.name.value]))

    def enter_variable_definition(self, node, *_):
        type = get_named_type(type_from_ast(self.schema, node.type))
        self.add_sent(type)
        if node.default_value:
            self.add_value(type_from_ast(self.schema, node.type), node.default_value)

    # Values

    def may_be_absent(self, value) -> bool:
        if not isinstance(value, VariableNode):
            return False
        variable = self.variables[value.name.value]
        return variable.type.kind != "non_null_type" and variable.default_value is None

    def add_value(self, type, value) -> None:
        named = get_named_type(type)
        if value.kind == "list_value":
            for item in value.values or ():
                self.add_value(type, item)
            return
        self.types.add(named.name)
        if value.kind == "enum_value":
            self.values.add(f"{named.name}.{value.value}")
        elif value.kind == "object_value":
            self.inputs.add(named.name)
            given = {field.name.value: field.value for field in value.fields or ()}
            for field in value.fields or ():
                self.written.setdefault(f"{named.name}.{field.name.value}", []).append(field)
            for key, field in named.fields.items():
                if key in given:
                    self.given.add(f"{named.name}.{key}")
                    self.add_value(field.type, given[key])
                if key not in given or self.may_be_absent(given[key]):
                    self.omitted.add(f"{named.name}.{key}")

    def add_sent(self, type) -> None:
        """Adds everything that a variable of a type may contain."""
        is_known = isinstance(type, GraphQLInputObjectType) and all(
            f"{type.name}.{key}" in self.sent for key in type.fields)
        self.types.add(type.name)
        if isinstance(type, GraphQLEnumType):
            self.enums.add(type.name)
        if not isinstance(type, GraphQLInputObjectType) or is_known:
            return
        self.inputs.add(type.name)
        self.sent |= {f"{type.name}.{key}" for key in type.fields}
        self.given |= self.sent
        self.omitted |= {f"{type.name}.{key}" for key in type.fields}
        for field in type.fields.values():
            self.add_sent(get_named_type(field.type))

    # Changes

    def affected(self, changes, new: GraphQLSchema, errors) -> set[tuple]:
        """Returns the changes of the used elements, each with the names of one or two elements."""
        result = set()
        self.errors = {position for error in errors for position in error.positions or ()}
        # A scalar's error about a list or object has no position, but ends with the value.
        self.messages = [error.message for error in errors if not error.positions]
        for change in changes:
            entry = self.entry(change.type.name, change.description, new)
            if entry:
                result.add(entry)
        return result

    def entry(self, kind: str, text: str, new: GraphQLSchema) -> tuple | None:
        if text.startswith("Standard scalar"):  # They are defined in every schema.
            return None
        text = re.sub(r"^(Standard scalar|Field|Argument|Enum value|An? \w+ (?:field|argument)) ", "", text)
        name = NAMES.match(text).group()
        last = NAMES.findall(text)[-1].rstrip(".")
        if kind in ("TYPE_REMOVED", "TYPE_CHANGED_KIND"):
            return (kind, name) if name in self.types else None
        if kind in ("TYPE_REMOVED_FROM_UNION", "IMPLEMENTED_INTERFACE_REMOVED"):
            return (kind, name, last) if self.is_condition(name, last, new) else None
        if kind == "VALUE_REMOVED_FROM_ENUM":
            return (kind, name) if name in self.values or name.split(".")[0] in self.enums else None
        if kind == "REQUIRED_INPUT_FIELD_ADDED":
            return (kind, name) if name.split(".")[0] in self.inputs else None
        if kind == "REQUIRED_ARG_ADDED":
            return (kind, name) if name.split("(")[0] in self.fields else None
        if kind in ("FIELD_REMOVED", "ARG_REMOVED"):
            return (kind, name) if name in self.fields | self.given else None
        if kind in ("FIELD_CHANGED_KIND", "ARG_CHANGED_KIND"):
            is_refused = name in self.fields or self.is_refused(name, new) or (
                name in self.sent and not self.is_sent_accepted(name, new)) or (
                name in self.omitted and self.is_required(name, new))
            return (kind, name) if is_refused else None
        return None

    def is_refused(self, name: str, new: GraphQLSchema) -> bool:
        """Whether validation has an error in a value, or does not know the type of its variable."""
        for node in self.written.get(name, ()):
            if any(node.loc.start <= position < node.loc.end for position in self.errors):
                return True
            if any(message.endswith(print_ast(node.value)) for message in self.messages):
                return True
            if any(type_from_ast(new, self.variables[each].type) is None for each in variables(node.value)):
                return True
        return False

    def is_sent_accepted(self, name: str, new: GraphQLSchema) -> bool:
        owner, field = name.split(".")
        return accepts(self.schema.type_map[owner].fields[field].type, new.type_map[owner].fields[field].type)

    @staticmethod
    def is_required(name: str, new: GraphQLSchema) -> bool:
        owner, member = name.split(".")
        if "(" not in member:
            return is_required_input_field(new.type_map[owner].fields[member])
        field, argument = member.rstrip(":)").split("(")
        return is_required_argument(new.type_map[owner].fields[field].args[argument])

    def is_condition(self, name: str, abstract: str, new: GraphQLSchema) -> bool:
        """Whether a fragment applied to a type through an abstract type, which it has left."""
        if not is_object_type(new.type_map.get(name)):
            return False
        for pair in self.conditions:
            before = [self.schema.type_map[each] for each in pair]
            after = [new.type_map.get(each) for each in pair]
            is_kept = all(old.__class__ is each.__class__ for old, each in zip(before, after))
            if abstract in pair and pair[0] != pair[1] and is_kept:
                if all(name in self.possible(self.schema, each) for each in before):
                    return True
        return False

    @staticmethod
    def possible(schema: GraphQLSchema, type) -> set[str]:
        return {each.name for each in schema.get_possible_types(type)} if is_abstract_type(type) else {type.name}


def accepts(old, new) -> bool:
    """Whether input coercion to a type accepts all values of another."""
    if is_non_null_type(new):
        return is_non_null_type(old) and accepts(old.of_type, new.of_type)
    old = old.of_type if is_non_null_type(old) else old
    if is_list_type(new):
        return accepts(old.of_type if is_list_type(old) else GraphQLNonNull(old), new.of_type)
    return not is_list_type(old) and (old.name == new.name or (old.name, new.name) in COERCED)


def variables(value) -> set[str]:
    """Returns the names of the variables in a value."""
    if isinstance(value, VariableNode):
        return {value.name.value}
    if value.kind == "list_value":
        return set().union(*map(variables, value.values))
    if value.kind == "object_value":
        return set().union(*(variables(field.value) for field in value.fields))
    return set()
