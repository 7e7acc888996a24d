//! Macros that declare what files hold: sections with their keys, and names for choices.

/// Declares a struct whose fields are the keys of a section.
///
/// Each line reads `name: type = "default", takes, "meaning";`. An empty default stands for none: the key must be given
/// unless its type is an `Option`.
#[macro_export]
macro_rules! settings {
    ($(#[$about:meta])* $vis:vis struct $Name:ident {
        $($field:ident : $type:ty = $default:literal, $takes:expr, $meaning:expr;)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        $vis struct $Name {
            $(#[doc = $meaning] pub $field: $type,)*
        }

        impl $Name {
            /// Every key, in the order in which they are written.
            pub const KEYS: &'static [$crate::key::Key] = &[$($crate::key::Key {
                name: stringify!($field), takes: $takes, default: $default, meaning: $meaning,
            }),*];

            /// Takes the keys out of a section, which remembers what is wrong with them.
            pub fn read(section: &mut $crate::document::Section<'_>) -> Self {
                let mut keys = Self::KEYS.iter();
                $(let $field = section.get(keys.next().expect("one key a field"));)*
                $Name { $($field),* }
            }

            /// Every key that has a value, with its value in TOML.
            pub fn write(&self) -> Vec<(&'static str, String)> {
                let mut lines = Vec::new();
                $(lines.extend($crate::key::Field::write(&self.$field).map(|value| (stringify!($field), value)));)*
                lines
            }
        }
    };
}

/// Declares an enum whose variants have names in files: `Variant = "name"`. The first one stands in for mistakes.
#[macro_export]
macro_rules! choices {
    ($(#[$about:meta])* $vis:vis enum $Name:ident { $($(#[$doc:meta])* $Variant:ident = $name:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $Name { $($(#[$doc])* $Variant,)* }

        impl $Name {
            /// The names of all, in order.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// Its name in files.
            pub const fn name(self) -> &'static str {
                match self { $($Name::$Variant => $name),* }
            }
        }

        impl $crate::key::Field for $Name {
            fn read(value: Option<$crate::key::Value>) -> Option<Self> {
                match value {
                    Some($crate::key::Value::Text(text)) => match text.as_str() {
                        $($name => Some($Name::$Variant),)*
                        _ => None,
                    },
                    _ => None,
                }
            }

            fn write(&self) -> Option<String> {
                Some($crate::key::quoted(self.name()))
            }

            fn stand_in() -> Self {
                [$($Name::$Variant),*][0]
            }
        }
    };
}
