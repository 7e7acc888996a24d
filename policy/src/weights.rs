//! Tunable weights. Each game declares its weights once, with [`weights!`](crate::weights!);
//! configuration checks, listings, CSV headers and exported constants all read that declaration.

/// One declared weight of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    /// Name in configurations, CSV headers and exported sources: letters, digits and `_`.
    pub name: &'static str,
    /// Description for readers.
    pub meaning: &'static str,
    /// Smallest value that a tuner may try.
    pub min: f64,
    /// Largest value that a tuner may try.
    pub max: f64,
    /// Typical distance between two values worth comparing; the unit of mutation.
    pub scale: f64,
    /// The hand-set value.
    pub default: f64,
}

/// Declares a struct of weights (every field an `f64`) with the constant `DECLARED`, which lists
/// the weights in the same order. `from_values` and `values` convert between the struct and an
/// array.
///
/// Each line reads `name: "meaning", min..=max, scale, default;`.
///
/// Variations may follow the struct. Each declares a constant of the same length as `DECLARED` with
/// one more weight for every weight of the struct; a suffix extends the names and a prefix the
/// meanings.
#[macro_export]
macro_rules! weights {
    ($(#[$about:meta])* $vis:vis struct $Name:ident $weights:tt
        $($(#[$vary:meta])* variation $VARIATION:ident = $suffix:literal, $prefix:literal;)*
    ) => {
        $crate::weights! { @struct $(#[$about])* $vis struct $Name $weights }

        impl $Name {
            $($(#[$vary])* pub const $VARIATION: &'static [$crate::weights::Weight] =
                $crate::weights! { @variation $suffix, $prefix, $weights };)*
        }
    };
    (@variation $suffix:literal, $prefix:literal, {
        $($weight:ident : $meaning:literal, $min:literal ..= $max:literal, $scale:literal, $default:expr;)*
    }) => {
        &[$($crate::weights::Weight {
            name: concat!(stringify!($weight), $suffix), meaning: concat!($prefix, $meaning),
            min: $min - $max, max: $max - $min, scale: $scale, default: 0.0,
        },)*]
    };
    (@struct $(#[$about:meta])* $vis:vis struct $Name:ident {
        $($weight:ident : $meaning:literal, $min:literal ..= $max:literal, $scale:literal, $default:expr;)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        $vis struct $Name {
            $(#[doc = $meaning] pub $weight: f64,)*
        }

        impl $Name {
            /// Every weight, in declaration order.
            pub const DECLARED: &'static [$crate::weights::Weight] = &[
                $($crate::weights::Weight {
                    name: stringify!($weight), meaning: $meaning,
                    min: $min, max: $max, scale: $scale, default: $default,
                },)*
            ];

            /// The number of weights.
            pub const COUNT: usize = Self::DECLARED.len();

            /// The hand-set weights.
            pub const DEFAULT: Self = Self { $($weight: $default),* };

            /// All weights 0.
            pub const ZERO: Self = Self { $($weight: 0.0),* };

            /// Returns the weights with these values, given in declaration order.
            pub const fn from_values(values: &[f64; Self::COUNT]) -> Self {
                let [$($weight),*] = *values;
                Self { $($weight),* }
            }

            /// Returns these weights plus `share` of `drift`.
            pub fn drifted(&self, drift: &Self, share: f64) -> Self {
                Self { $($weight: self.$weight + share * drift.$weight),* }
            }

            /// Returns the values in declaration order.
            pub const fn values(&self) -> [f64; Self::COUNT] {
                [$(self.$weight),*]
            }
        }
    };
}
