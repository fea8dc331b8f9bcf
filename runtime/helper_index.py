"""Where each helper of generated code lives. Do not edit: `make rules` writes it."""

FAMILIES = {
    "checkpointing.revolve": """
        keep_state restore rewind snapshots
    """,
    "errors": """
        RetrogradError
    """,
    "helpers.batches.examples": """
        aligned example example_count examples_first examples_like examples_moved first_example
        flat_examples of_examples put_example rank_of_examples repeated_examples stretch_examples
        summed_examples unbroadcast_examples within_examples
    """,
    "helpers.calls_that_look": """
        given_back
    """,
    "helpers.containers": """
        as_tangent check_scalar check_separate fill_like flipped hooked instance match picked
        stop_gradient unmatch
    """,
    "helpers.core": """
        add contiguous copy stretch unbroadcast zeros_like
    """,
    "helpers.creation": """
        convert full if_float item kaiser_arguments pack progression put_item steps stretch_along
        unpack unprogression unstretch_along
    """,
    "helpers.cumulative": """
        advance before delay edge others recur recur_back uncumsum undiff
    """,
    "helpers.curves": """
        along_axis interp_inside interp_places interp_uses slope slope_at stencil sum_along
        trapezoid unslope untrapezoid untrapezoid_at
    """,
    "helpers.element_positions": """
        along_axis_index axes_back beside block_strides kept_places layout margins mask_of
        plain_order reduceat restored running_places spread_at strided_places turn_ends turn_order
        unchoose unmargins wrapped_places
    """,
    "helpers.elementwise": """
        divide_or_zero if_above if_below if_finite if_inside if_larger if_none if_number if_replaced
        in_kind one_less pick power share sigmoid sign times_i times_log turn_rate unpick unselect
    """,
    "helpers.exact_zero": """
        div0 hazard mul0 on_support reached
    """,
    "helpers.fft": """
        doubled fit halved length lengths opposite turned
    """,
    "helpers.functional_writes": """
        check_alone check_apart check_array check_assignable check_distinct check_holds check_leaf
        check_number check_output check_overlap check_shared check_unshared increase last_places
        last_written overlap scatter_last shows_twice write
    """,
    "helpers.indexing": """
        distinct_places first_places index_add scatter scatter_along_axis uncompress untake
    """,
    "helpers.item_writes": """
        cleared_at dropped entered increased_at keys_of like_keys put_at renewed_at shallow taken_at
        values_of with_keys
    """,
    "helpers.joining": """
        block_of blocks_like columns meshgrid numbered reshape_each row stretch_each uncolumns
        unmeshgrid unrow unstretch_each
    """,
    "helpers.linalg.eigen": """
        cond_share eigenvectors gaps matrices order_share reciprocal singular_gaps some
        spectral_cond spectral_norm spectral_slope steady thin top unmatrices untop vector_gaps
    """,
    "helpers.linalg.einsum": """
        chain einsum einsum_front einsum_pull einsum_view multi_dot shows_operand
    """,
    "helpers.linalg.factorisations": """
        cofactor cofactor_push economic herm hermitian leading over phi qr_r turn turn_pull
        upper_part upper_pull
    """,
    "helpers.linalg.least_squares": """
        cutoff falling if_there one_lower rows_times two_sides uncut
    """,
    "helpers.linalg.norms": """
        norm_power norm_weight product_order
    """,
    "helpers.linalg.products": """
        apply axis_from_end column convolve_pull correlate_pull_left correlate_pull_right cross
        direction dot_axes inner_axes kron_pull_left kron_pull_right lag matmul_pull_left
        matmul_pull_right matrix_convolve powers solve_for tensordot_pull_left tensordot_pull_right
        uncolumn vecdot_pull
    """,
    "helpers.linalg.triangular": """
        solve_lower
    """,
    "helpers.lists": """
        appended best_of check_count check_enough check_kinds check_rows cleared combinations
        count_of folded frozen index_of inserted items joined multisets order_of permutations
        place_of put_back removed repeated_list replaced spliced spliced_in starred thawed times_in
        times_of unspliced visits
    """,
    "helpers.networks.layers": """
        affine if_positive log_sigmoid log_softmax relu softmax times_transposed
    """,
    "helpers.networks.windows": """
        products_with_windows windows_pull_weights windows_pull_whole
    """,
    "helpers.object_protocols": """
        attribute_or augmented called check_same closing float_dtype gone_over letting_through
        method_called places_of_true plain refusal regathered snapshot
    """,
    "helpers.polynomials": """
        band_places degrees derivative_factors exponents integral_factors
    """,
    "helpers.reductions": """
        align chosen_part count matching nancount one_if_none rows share_start share_ties spread
        stretch_over to_type total unalign unreduce unrows
    """,
    "helpers.scipy.bessel": """
        ive_partial kve_partial spherical_partial
    """,
    "helpers.scipy.cdf": """
        betainc_partial gammainc_partial stdtr_partial
    """,
    "helpers.scipy.elliptic": """
        ellipeinc_moment ellipkinc_moment elliprd_partial elliprj_partial
    """,
    "helpers.scipy.fft": """
        cosine cosine_pull unscaled
    """,
    "helpers.scipy.interpolate": """
        spline surface
    """,
    "helpers.scipy.linalg": """
        complexed corner diagonal_blocks factor_matrix factor_pull frechet frechet_power lu_flip
        lu_turn matrix_log mirrored numpy_mode of_kind other_triangle permuted polar_inverse
        resquared schur_form schur_lower skew squared swapped transposed_if triangle triangle_of
        triangle_pull unsquared whole
    """,
    "helpers.scipy.ndimage": """
        axes_pull image_map label_counts label_pull template template_pull window window_pull
    """,
    "helpers.scipy.noncentral": """
        mixed_betainc mixed_gammainc
    """,
    "helpers.scipy.quadrature": """
        smooth_nodes
    """,
    "helpers.scipy.signal": """
        convolution convolution_pull lag_sums line line_pull sides spectra unit
    """,
    "helpers.scipy.sparse": """
        krylov_solve solve_entries sparse_adjoint times_entries
    """,
    "helpers.scipy.special": """
        dawsn_partial diric_partial erfcx_partial expn_below exprel_partial log_quotient
        multidigamma rgamma_partial zeta_partial
    """,
    "helpers.scipy.stats": """
        entropy_unit kernel_density kernel_weights kernel_width kurtosis_factor reference
        skew_factor vonmises_partial vonmises_tail
    """,
    "helpers.scipy.structured": """
        band_apply band_herm band_outer beyond_band block_diagonal blocks_of both_halves
        both_halves_pull circle_pull circulate dense_band half_band khatri_rao_blocks narrow_band
        reversed_circle rows_of_toeplitz structured structured_pull swap_bands toeplitz_herm
        toeplitz_pull top_row whole_band
    """,
    "helpers.shaping": """
        column_axis columns_like delete_pull dsplit_like embed extract hsplit_like insert_array
        insert_array_pull insert_values insert_values_pull inverse_axes inverse_roll mT one_tuple
        pad pad_pull repeat_pull reshape_like split_like tile_pull undiag undiagonal unsplit
        unstack_like untrace vsplit_like
    """,
    "helpers.special": """
        bessel_i circle hyperbola hyperbola_above norm_of polygamma sinc_derivative
    """,
    "helpers.statistics.counts": """
        bin_places binned nothing unbinned
    """,
    "helpers.statistics.covariance": """
        as_rows from_rows observation_shares observation_weights
    """,
    "helpers.statistics.quantiles": """
        along_first quantile_points trailing_sum
    """,
    "helpers.statistics.row_statistics": """
        center covariance dimension points row_products row_scaled row_traces simplex simplex_change
        simplex_pull uncovariance
    """,
    "replacements.solvers": """
        bracketed fmin fmin_alone fsolve ivp_grid least_squares leastsq minimize minimize_scalar
        newton quad_nodes quad_vec_nodes root_counts root_scalar scipy_fixed_point scipy_root
    """,
    "solvers.implicit": """
        Implicit Unrolled argmin converged fixed_point linear_solve root
    """,
    "solvers.refinement": """
        refined
    """,
    "tape.calls": """
        pulled pushed taped
    """,
    "user.argument_checks": """
        expects
    """,
    "user.batched": """
        direction_count each each_of first_direction in_each last_axis match_each matmul_each
        pack_each product_pull_each repeated split_each stacked sum_each trailing unbroadcast_each
        unpack_each unreduce_each
    """,
    "user.finite_differences": """
        difference_pull difference_push
    """,
    "user.jacobian_blocks": """
        jacobian_block jacobian_blocks unit_directions
    """,
}
HOMES = {name: family for family, names in FAMILIES.items() for name in names.split()}
